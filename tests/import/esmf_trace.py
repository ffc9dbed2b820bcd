"""Writes traces as ESMF does (CTF 1.8), from the layout alone: nothing of cpl_lb's reader is used here."""
import pathlib
import struct
import uuid

UUID = uuid.UUID('21c4e078-a5c7-11e8-8529-34f39aeaad30')
INIT, RUN, FINALIZE = 0, 1, 2
PHASE, USER = 0, 1

# The description for babeltrace2. Every number is aligned to its own size, as in ESMF's description.
METADATA = '''/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := u8;
typealias integer { size = 16; align = 16; signed = false; } := u16;
typealias integer { size = 32; align = 32; signed = false; } := u32;
typealias integer { size = 64; align = 64; signed = false; } := u64;
typealias floating_point { exp_dig = 11; mant_dig = 53; align = 64; } := f64;
trace {
  major = 1; minor = 8; byte_order = le; uuid = "%s";
  packet.header := struct { u32 magic; u8 uuid[16]; };
};
clock { name = sys_clock; freq = 1000000000; offset = 0; };
typealias integer { size = 64; align = 64; signed = false; map = clock.sys_clock.value; } := u64_time;
stream {
  packet.context := struct {
    u64_time timestamp_begin; u64_time timestamp_end; u32 packet_size; u32 content_size; string nodename; u32 pet;
  };
  event.header := struct { u8 id; u64_time timestamp; };
};
event { name = "phase_enter"; id = 2; fields := struct { u16 vmid; u16 baseid; u8 method; u8 phase; }; };
event { name = "region_enter"; id = 4; fields := struct { string name; }; };
event { name = "define_region"; id = 6;
  fields := struct { u16 id; u8 type; u16 vmid; u16 baseid; u8 method; u8 phase; string name; }; };
event { name = "regionid_enter"; id = 7; fields := struct { u16 regionid; }; };
event { name = "regionid_exit"; id = 8; fields := struct { u16 regionid; }; };
event { name = "comp"; id = 9;
  fields := struct { u16 vmid; u16 baseid; string name; string IPM; string RPM; string FPM; }; };
event { name = "mem"; id = 10; fields := struct { u32 virtMem; u32 physMem; }; };
event { name = "clk"; id = 11;
  fields := struct { u16 year; u8 month; u8 day; u8 hour; u8 minute; u8 second; }; };
event { name = "mpiwait"; id = 12; fields := struct { u32 count; u64 time; }; };
event { name = "region_profile"; id = 13;
  fields := struct { u16 id; u16 parentid; u64 total; u64 self; u32 count; u64 max; u64 min; f64 mean; f64 stddev; }; };
''' % UUID


def text(words):
    return words.encode() + b'\0'


class Pet:
    """The stream of one PET. Times are seconds of the run; `ahead` is what its node's clock shows too much [s]."""

    def __init__(self, pet, node='n0', ahead=0.0, packet=4096, epoch=1_700_000_000, trace_uuid=UUID):
        self.pet, self.node, self.packet, self.uuid = pet, node, packet, trace_uuid
        self.epoch = epoch * 10 ** 9 + round(ahead * 1e9)
        self.packets, self.content, self.begin, self.last = [], bytearray(), None, self.epoch
        self.ids, self.open, self.counts, self.vanished = {}, [], {}, 0

    def header(self, begin, end, content):
        head = struct.pack('<I16s4xQQII', 0xc1fc1fc1, self.uuid.bytes, begin, end, 8 * self.packet, 8 * content)
        head += text(self.node)
        head += bytes(-len(head) % 4) + struct.pack('<I', self.pet)
        return head

    def close(self):
        if self.begin is None:
            return
        head = self.header(self.begin, self.last, len(self.content))
        content = head + self.content[len(head):]
        self.packets.append(bytes(content) + bytes(self.packet - len(content)))
        self.begin = None

    def event(self, number, at, payload, align):
        """payload: its bytes, or what makes them; aligned by whoever makes it."""
        time = self.epoch + round(at * 1e9)
        for _ in range(2):
            if self.begin is None:
                self.begin = time
                self.content = bytearray(len(self.header(0, 0, 0)))
                self.empty = len(self.content)
            start = len(self.content) + -len(self.content) % 8
            event = bytes(start - len(self.content)) + struct.pack('<B7xQ', number, time) + payload
            if len(self.content) + len(event) <= self.packet:
                self.content += event
                self.last = time
                return
            if self.empty + len(event) + 8 > self.packet:
                self.vanished += 1  # ESMF drops what is longer than a packet
                return
            self.close()

    def region(self, at, name, method, kind=PHASE, defined=True):
        """The number of the region inside those that are open; defined at its first call there."""
        path = tuple(self.open) + (name,)
        if path not in self.ids:
            self.ids[path] = len(self.ids) + 2
            if defined:
                payload = struct.pack('<HBxHHBB', self.ids[path], kind, 1, 1, method, 1) + text(name)
                self.event(6, at, payload, 2)
        return self.ids[path]

    def enter(self, at, name, method=RUN, kind=PHASE, lost=False):
        number = self.region(at, name, method, kind)
        self.open.append(name)
        if not lost:
            self.event(7, at, struct.pack('<H', number), 2)

    def leave(self, at, lost=False):
        path = tuple(self.open)
        self.counts[path] = self.counts.get(path, 0) + 1
        self.open.pop()
        if not lost:
            self.event(8, at, struct.pack('<H', self.ids[path]), 2)

    def call(self, start, stop, name, method=RUN, lost=False):
        self.enter(start, name, method, lost=lost)
        self.leave(stop, lost=lost)

    def component(self, at, name, phases='RunPhase1=1'):
        self.event(9, at, struct.pack('<HH', 1, 1) + text(name) + text(phases) + text(phases) + text(''), 2)

    def others(self, at):
        """One of each event that says nothing of the coupling."""
        self.event(10, at, struct.pack('<II', 100, 200), 4)
        self.event(11, at, struct.pack('<HBBBBB', 2026, 1, 2, 3, 4, 5), 2)
        self.event(12, at, struct.pack('<I4xQ', 7, 8), 8)
        self.event(4, at, text('by name'), 1)
        self.event(2, at, struct.pack('<HHBB', 1, 2, 1, 1), 2)

    def profile(self, at):
        for path, number in self.ids.items():
            payload = struct.pack('<HH4xQQI4xQQdd', number, 1, 10, 5, self.counts.get(path, 0), 3, 2, 2.5, 0.5)
            self.event(13, at, payload, 8)

    def bytes(self):
        self.close()
        return b''.join(self.packets)


def write(folder, pets, metadata=METADATA):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if metadata is not None:
        (folder / 'metadata').write_text(metadata)
    for pet in pets:
        (folder / f'esmf_stream_{pet.pet:04d}').write_bytes(pet.bytes())
    return folder

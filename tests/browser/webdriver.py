"""A browser driven through chromedriver's HTTP interface (W3C WebDriver), with Python's own library only."""
import base64
import json
import re
import subprocess
import time
import urllib.error
import urllib.request


class Browser:
    """Chromium without a window and without a network; a context manager."""

    def __init__(self, width=1280, height=900):
        self.driver = subprocess.Popen(['chromedriver', '--port=0'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       text=True)
        self.port = None
        for line in self.driver.stdout:
            found = re.search(r'on port (\d+)', line)
            if found and 'successfully' in line:
                self.port = int(found.group(1))
                break
        options = {'args': ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
                            '--disable-background-networking', '--disable-component-update', '--no-first-run',
                            f'--window-size={width},{height}', '--force-device-scale-factor=1',
                            # Nothing outside this machine can be reached, whatever the page asks for.
                            '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--proxy-server=127.0.0.1:9']}
        self.session = ''
        answer = self.call('POST', '/session', {'capabilities': {'alwaysMatch': {
            'browserName': 'chrome', 'goog:chromeOptions': options,
            'goog:loggingPrefs': {'browser': 'ALL', 'performance': 'ALL'}}}})
        self.session = '/session/' + answer['sessionId']

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call('DELETE', '')
        finally:
            self.driver.terminate()
            self.driver.wait()

    def call(self, method, path, body=None):
        request = urllib.request.Request(f'http://127.0.0.1:{self.port}{self.session}{path}', method=method,
                                         data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)['value']
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)['value']['message']) from error

    def devtools(self, command, **parameters):
        return self.call('POST', '/goog/cdp/execute', {'cmd': command, 'params': parameters})

    def run(self, script, *arguments):
        return self.call('POST', '/execute/sync', {'script': script, 'args': list(arguments)})

    def run_async(self, script, *arguments):
        """As run(); the last of the script's arguments takes the result."""
        return self.call('POST', '/execute/async', {'script': script, 'args': list(arguments)})

    def open(self, path, seconds=30):
        """Returns when the page says that it is ready: the milliseconds that it took."""
        self.call('POST', '/url', {'url': 'file://' + str(path)})
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            ready = self.run('return document.documentElement.dataset.ready || null')
            if ready is not None:
                return float(ready)
            time.sleep(0.05)
        raise RuntimeError(f'{path} is not ready after {seconds} s: {self.messages()}')

    def open_plain(self, path):
        """A picture, or a page without scripts."""
        self.call('POST', '/url', {'url': 'file://' + str(path)})

    def messages(self):
        """Warnings and errors of the console since the last call."""
        entries = self.call('POST', '/se/log', {'type': 'browser'})
        return [e['message'] for e in entries if e['level'] in ('WARNING', 'SEVERE')]

    def requests(self):
        """Addresses that were asked for since the last call; data inside the page itself is not a request."""
        asked = []
        for entry in self.call('POST', '/se/log', {'type': 'performance'}):
            message = json.loads(entry['message'])['message']
            if message['method'] == 'Network.requestWillBeSent':
                url = message['params']['request']['url']
                if not url.startswith(('data:', 'blob:')):
                    asked.append(url)
        return asked

    def wheel(self, x, y, turn, shift=False):
        self.devtools('Input.dispatchMouseEvent', type='mouseWheel', x=x, y=y, deltaX=0, deltaY=turn,
                      modifiers=8 if shift else 0)

    def mouse(self, kind, x, y):
        pressed = {} if kind == 'mouseMoved' else {'button': 'left', 'clickCount': 1}
        self.devtools('Input.dispatchMouseEvent', type=kind, x=x, y=y, **pressed)

    def keys(self, *names):
        actions = []
        for name in names:
            actions += [{'type': 'keyDown', 'value': name}, {'type': 'keyUp', 'value': name}]
        self.call('POST', '/actions', {'actions': [{'type': 'key', 'id': 'keyboard', 'actions': actions}]})

    def settle(self):
        """Waits until what was asked for has been drawn."""
        self.call('POST', '/execute/async', {'args': [], 'script':
                  'const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))'})

    def size(self, width, height):
        self.devtools('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1,
                      mobile=False)

    def media(self, name='', dark=False):
        self.devtools('Emulation.setEmulatedMedia', media=name,
                      features=[{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])

    def picture(self, path, whole=False):
        if whole:
            data = self.devtools('Page.captureScreenshot', captureBeyondViewport=True)['data']
        else:
            data = self.call('GET', '/screenshot')
        with open(path, 'wb') as file:
            file.write(base64.b64decode(data))

    def pdf(self, path):
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self.devtools('Page.printToPDF', printBackground=True)['data']))

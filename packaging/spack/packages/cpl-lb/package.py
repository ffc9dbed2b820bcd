"""Spack's recipe for cpl_lb. It lies in cpl_lb's own tree, and builds what is committed there:

    spack repo add cpl_lb/packaging/spack
    spack install cpl-lb
"""

import os

from spack.package import *

try:  # Spack 1 keeps it with the packages, and has compilers as dependencies
    from spack_repo.builtin.build_systems.cmake import CMakePackage

    compilers_are_dependencies = True
except ImportError:
    compilers_are_dependencies = False


class CplLb(CMakePackage):
    """Load balance and CPMIP metrics of coupled climate models: a library for C, C++ and Fortran that measures who waits
    for whom, a recorder for models that are not linked with it, and the command that tells and draws it."""

    git = "file://" + os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("mpi", default=True, description="The library for models, cpl-lb-record; without: analysis and command only")
    variant("command", default=True, description="The command cpl-lb")
    variant("fortran", default=True, description="Fortran: what the archives of adapters need, beside the source of the module")
    variant("papi", default=False, description="PAPI, which is opened when a model runs, for hardware counters")
    variant("otf2", default=False, description="cpl-lb export --to otf2")
    variant(
        "adapters",
        values=any_combination_of("oasis", "mct", "yac"),
        description="Archives for couplers, to link ahead of them; their sources are installed in any case",
    )
    variant(
        "oasis_modules",
        default="none",
        description="Folder of the .mod files of the model's OASIS3-MCT, which Spack has no package for (adapters=oasis)",
    )

    conflicts("~command", when="~mpi", msg="nothing would be left of cpl_lb without the command and without MPI")
    conflicts("+otf2", when="~command", msg="OTF2 is for the command")
    for coupler in ("oasis", "mct", "yac"):
        conflicts("adapters=" + coupler, when="~mpi", msg="adapters are for models, and models need +mpi")
    for coupler in ("oasis", "mct"):
        conflicts("adapters=" + coupler, when="~fortran", msg="the adapters for OASIS and MCT need +fortran")
    conflicts("adapters=oasis", when="oasis_modules=none", msg="say where the modules are: oasis_modules=FOLDER")

    if compilers_are_dependencies:
        depends_on("c", type="build")
        depends_on("cxx", type="build")
        depends_on("fortran", type="build", when="+mpi+fortran")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi@3:", when="+mpi")
    depends_on("netcdf-c")
    depends_on("fmt", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("eigen@3.3:3", type="build")
    depends_on("pegtl@3", type="build")
    depends_on("cli11@2", type="build", when="+command")
    depends_on("tomlplusplus", type="build", when="+command")
    depends_on("otf2@2.2:", when="+otf2")
    depends_on("papi@5.5:", type="run", when="+papi")
    depends_on("mct", when="adapters=mct")

    conflicts("%gcc@:10", msg="cpl_lb needs a compiler for C++20")
    conflicts("%clang@:13", msg="cpl_lb needs a compiler for C++20")

    def cmake_args(self):
        spec = self.spec
        arguments = [
            self.define("CPL_LB_TESTS", False),
            self.define("CPL_LB_EXAMPLES", False),
            self.define("CMAKE_UNITY_BUILD", True),  # compiled in two thirds of the time
            self.define_from_variant("CPL_LB_MPI", "mpi"),
            self.define_from_variant("CPL_LB_COMMAND", "command"),
            self.define_from_variant("CPL_LB_FORTRAN", "fortran"),
            self.define_from_variant("CPL_LB_OTF2", "otf2"),
            self.define("CPL_LB_YAC_ADAPTER", spec.satisfies("adapters=yac")),
        ]
        if spec.satisfies("+mpi"):
            arguments += [
                self.define("MPI_C_COMPILER", spec["mpi"].mpicc),
                self.define("MPI_CXX_COMPILER", spec["mpi"].mpicxx),
            ]
            if spec.satisfies("+fortran"):
                arguments.append(self.define("MPI_Fortran_COMPILER", spec["mpi"].mpifc))
        if spec.satisfies("adapters=oasis"):
            arguments.append(self.define("CPL_LB_OASIS_MODULES", spec.variants["oasis_modules"].value))
        if spec.satisfies("adapters=mct"):
            arguments.append(self.define("CPL_LB_MCT_MODULES", spec["mct"].prefix.include))
        return arguments

    def setup_run_environment(self, env):
        if self.spec.satisfies("+papi"):
            env.prepend_path("LD_LIBRARY_PATH", self.spec["papi"].prefix.lib)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_examples(self):
        """spack install --test=root cpl-lb"""
        if self.spec.satisfies("+command"):
            Executable(self.prefix.bin.join("cpl-lb"))("--version")
        if self.spec.satisfies("+mpi"):
            self._run_example("minimal_c", join_path(self.stage.path, "minimal_c"))

    def test_minimal_c(self):
        """the C example, compiled against the installed library, gives the load balance of its two components"""
        if self.spec.satisfies("~mpi"):
            raise SkipTest("there is no library without MPI")
        self._run_example("minimal_c", join_path(os.getcwd(), "minimal_c"))

    def test_minimal_fortran(self):
        """the Fortran example, with the module compiled from the installed source"""
        if self.spec.satisfies("~mpi") or self.spec.satisfies("~fortran"):
            raise SkipTest("it needs +mpi+fortran")
        self._run_example("minimal_fortran", join_path(os.getcwd(), "minimal_fortran"))

    def test_command(self):
        """the command starts and tells its parts"""
        if self.spec.satisfies("~command"):
            raise SkipTest("there is no command")
        said = Executable(self.prefix.bin.join("cpl-lb"))("--version", output=str)
        assert ("OTF2: yes" in said) == self.spec.satisfies("+otf2"), said

    def _run_example(self, example, folder):
        mpi = self.spec["mpi"]
        install_tree(join_path(self.prefix.share, "cpl_lb", "examples", example), folder)
        os.environ["PKG_CONFIG_PATH"] = os.pathsep.join(
            join_path(self.prefix, lib, "pkgconfig") for lib in ("lib", "lib64")
        )
        with working_dir(folder):
            which("make")("CC=" + mpi.mpicc, "FC=" + getattr(mpi, "mpifc", "mpifort"))
            launcher = which("mpiexec", path=mpi.prefix.bin) or which("mpiexec")
            launcher("-n", "2", "./minimal", output="printed", error="errors")
            with open("printed") as printed:
                assert "Waiting %" in printed.read(), "the example printed no load balance"

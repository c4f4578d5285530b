#!/usr/bin/env python3
"""What compiling through fairlead-cc costs, beside clang -g.

Compiles each input with both in turn, at -O0, -O1 and -O2, and prints ratios of
the least user seconds, of the largest resident memory and of the sizes of
objects and linked programs: of six C++ files, of one C function of growing
length, and of two Debian packages with Debian's flags (zstd, C; leveldb, C++).
One run measures both compilers, because machines are noisy: trust the ratios.

  bench/compile.py [--build DIR] [--rounds N] [--only files,long,packages]
                   [--sources DIR]

Packages are unpacked below --sources by `apt-get source`, and left out, with a
word, where none is served.
"""

import argparse
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CLANG = os.environ.get("FAIRLEAD_CLANG", "clang-19")
LEVELS = ["-O0", "-O1", "-O2"]
FILES = {
    "json": [], "gtest": ["-lgmock", "-lgtest", "-pthread"], "catch2": [],
    "fmt": ["-lfmt"],
    "absl": ["pkg-config", "absl_statusor", "absl_str_format", "absl_btree",
             "absl_flat_hash_map", "absl_time"],
    "stl": [],
}
LENGTHS = [300, 600, 1200, 2400]
# dpkg-buildflags of Debian 12, without the paths of its own builds.
DEBIAN = ("-g -O2 -fstack-protector-strong -Wformat -Werror=format-security "
          "-Wdate-time -D_FORTIFY_SOURCE=2")
PACKAGES = {
    "zstd": ("libzstd", "build/cmake",
             ["-DZSTD_BUILD_TESTS=OFF", "-DZSTD_MULTITHREAD_SUPPORT=ON"],
             "zstd"),
    "leveldb": ("leveldb", ".",
                ["-DLEVELDB_BUILD_TESTS=OFF", "-DLEVELDB_BUILD_BENCHMARKS=OFF",
                 "-DBUILD_SHARED_LIBS=ON", "-DCMAKE_CXX_STANDARD=17"],
                "leveldb"),
}


class Cost:
    """Of one command: user seconds, and kilobytes at the most."""

    def __init__(self, command, environment=None):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, env=environment)
        said = process.stderr.read().decode(errors="replace")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: exit code "
                               f"{process.returncode}\n{said}")
        self.seconds = usage.ru_utime
        self.memory = usage.ru_maxrss


def measure(commands, rounds):
    """The best of each of {name: command}, run in turn."""
    best = {}
    for _ in range(rounds):
        for name, command in commands.items():
            cost = Cost(command)
            if name in best:
                cost.seconds = min(cost.seconds, best[name].seconds)
                cost.memory = min(cost.memory, best[name].memory)
            best[name] = cost
    return best


def compilers(build, cxx):
    plus = "++" if cxx else ""
    return {"clang": [CLANG.replace("clang", "clang" + plus, 1)],
            "ours": [str(build / "bin" / ("fairlead-c++" if cxx
                                          else "fairlead-cc"))]}


def row(name, level, costs, sizes):
    def ratio(ours, theirs):
        return f"{ours / theirs:8.2f}x"
    print(f"{name:16}{level:5}{costs['clang'].seconds:9.2f}"
          f"{costs['ours'].seconds:8.2f}"
          + ratio(costs["ours"].seconds, costs["clang"].seconds)
          + ratio(costs["ours"].memory, costs["clang"].memory)
          + "".join(ratio(pair["ours"], pair["clang"]) for pair in sizes),
          flush=True)
    return costs["ours"].seconds / costs["clang"].seconds


def compile_one(source, flags, level, build, scratch, rounds, cxx):
    names = compilers(build, cxx)
    objects = {name: f"{scratch}/{name}.o" for name in names}
    costs = measure({name: [*compiler, "-g", level, *flags, "-c", str(source),
                            "-o", objects[name]]
                     for name, compiler in names.items()}, rounds)
    return costs, objects


def linked_with(libraries):
    """What to give to the linker: as written, or as pkg-config knows it."""
    if libraries[:1] != ["pkg-config"]:
        return libraries
    return subprocess.run(["pkg-config", "--libs", *libraries[1:]], check=True,
                          capture_output=True, text=True).stdout.split()


def files(build, scratch, rounds):
    print(f"{'file':16}{'':5}{'clang s':>9}{'ours s':>8}{'time':>9}"
          f"{'memory':>9}{'object':>9}{'program':>9}")
    ratios = {level: [] for level in LEVELS}
    for name, libraries in FILES.items():
        source = HERE / "compile" / f"{name}.cc"
        for level in LEVELS:
            try:
                costs, objects = compile_one(source, ["-std=c++17"], level,
                                             build, scratch, rounds, True)
            except RuntimeError as error:
                print(f"{name:16}{level:5} left out: "
                      f"{str(error).splitlines()[-1][:60]}")
                break
            sizes = [{key: os.path.getsize(path)
                      for key, path in objects.items()}]
            programs = {key: f"{scratch}/{key}" for key in objects}
            for key, compiler in compilers(build, True).items():
                subprocess.run([*compiler, objects[key], "-o", programs[key],
                                *linked_with(libraries)], check=True)
            sizes.append({key: os.path.getsize(path)
                          for key, path in programs.items()})
            ratios[level].append(row(name, level, costs, sizes))
    for level, values in ratios.items():
        if values:
            mean = math.exp(sum(map(math.log, values)) / len(values))
            print(f"geometric mean {level}: {mean:.2f}x, worst "
                  f"{max(values):.2f}x")


def exponent(seconds, key):
    """1 where time is linear in the length, from the second length on: starting
    the compiler is most of the shortest one's time."""
    return (math.log(seconds[-1][key] / seconds[1][key]) /
            math.log(LENGTHS[-1] / LENGTHS[1]))


def long_functions(build, scratch, rounds):
    print(f"\n{'statements':16}{'':5}{'clang s':>9}{'ours s':>8}{'time':>9}"
          f"{'memory':>9}{'object':>9}")
    for level in LEVELS:
        seconds = []
        for length in LENGTHS:
            source = pathlib.Path(scratch) / f"long{length}.c"
            with open(source, "w") as out:
                subprocess.run([HERE / "compile" / "long_function.py",
                                str(length)], stdout=out, check=True)
            costs, objects = compile_one(source, [], level, build, scratch,
                                         rounds, False)
            row(str(length), level, costs,
                [{key: os.path.getsize(path)
                  for key, path in objects.items()}])
            seconds.append({key: cost.seconds for key, cost in costs.items()})
        print(f"{level}: time grows with the length to the power of " +
              ", ".join(f"{exponent(seconds, key):.2f} ({key})"
                        for key in ("clang", "ours")), flush=True)


def sources_of_debian(sources):
    """An environment for apt that finds Debian's source packages, with lists of
    its own: the system's are not touched."""
    place = sources / "apt"
    for name in ("lists/partial", "cache/archives/partial"):
        (place / name).mkdir(parents=True, exist_ok=True)
    release = re.search(r"^VERSION_CODENAME=(.*)$",
                        pathlib.Path("/etc/os-release").read_text(), re.M)[1]
    archives = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(RELEASE) $(REPO_URI)",
         "Created-By: Packages"], capture_output=True, text=True).stdout
    archive = re.search(rf"^{release} (.*)$", archives, re.M)
    if archive is None:
        return None
    (place / "sources.list").write_text(
        f"deb-src {archive[1]} {release} main\n")
    (place / "apt.conf").write_text(
        f'Dir::Etc::SourceList "{place}/sources.list";\n'
        f'Dir::Etc::SourceParts "/dev/null";\n'
        f'Dir::State::Lists "{place}/lists";\n'
        f'Dir::Cache "{place}/cache";\n'
        'APT::Sandbox::User "";\n')
    environment = dict(os.environ, APT_CONFIG=str(place / "apt.conf"))
    subprocess.run(["apt-get", "update", "-q"], env=environment,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return environment


def unpack(package, sources):
    """The directory of the unpacked source, or None."""
    place = sources / package
    if not place.exists():
        environment = sources_of_debian(sources)
        if environment is None:
            return None
        place.mkdir(parents=True)
        subprocess.run(["apt-get", "source", "-q", package], cwd=place,
                       env=environment, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    found = [path for path in place.glob("*") if path.is_dir()]
    return found[0] if found else None


def packages(build, scratch, sources):
    print(f"\n{'package':16}{'':5}{'clang s':>9}{'ours s':>8}{'time':>9}"
          f"{'memory':>9}{'linked':>9}")
    for name, (package, place, options, target) in PACKAGES.items():
        source = unpack(package, sources)
        if source is None:
            print(f"{name:16} left out: apt-get source {package} gives nothing")
            shutil.rmtree(sources / package, ignore_errors=True)
            continue
        costs, sizes = {}, {}
        for key in ("clang", "ours"):
            out = f"{scratch}/{name}-{key}"
            subprocess.run(
                ["cmake", "-G", "Ninja", "-S", source / place, "-B", out,
                 f"-DCMAKE_C_COMPILER={compilers(build, False)[key][0]}",
                 f"-DCMAKE_CXX_COMPILER={compilers(build, True)[key][0]}",
                 f"-DCMAKE_C_FLAGS={DEBIAN}", f"-DCMAKE_CXX_FLAGS={DEBIAN}",
                 "-DCMAKE_BUILD_TYPE=None", *options],
                check=True, stdout=subprocess.DEVNULL,
                env=dict(os.environ, FAIRLEAD_CC_OFF="1"))
            costs[key] = Cost(["ninja", "-j1", "-C", out, target],
                              dict(os.environ, FAIRLEAD_ROOT=str(source)))
            sizes[key] = sum(path.stat().st_size
                             for path in pathlib.Path(out).rglob("*")
                             if path.is_file() and not path.is_symlink() and
                             (path.name == "zstd" or ".so" in path.name))
        row(name, "-O2", costs, [sizes])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path,
                        default=HERE.parent / "build")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="files,long,packages")
    parser.add_argument("--sources", type=pathlib.Path,
                        default=HERE.parent / "build" / "bench-sources")
    options = parser.parse_args()
    if not (options.build / "bin" / "fairlead-cc").exists():
        sys.exit(f"compile.py: no bin/fairlead-cc in {options.build}: build "
                 "first (scripts/test), or name the build directory with "
                 "--build")
    wanted = options.only.split(",")
    with tempfile.TemporaryDirectory() as scratch:
        if "files" in wanted:
            files(options.build, scratch, options.rounds)
        if "long" in wanted:
            long_functions(options.build, scratch, options.rounds)
        if "packages" in wanted:
            packages(options.build, scratch, options.sources)


if __name__ == "__main__":
    main()

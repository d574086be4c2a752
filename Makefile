# make               the engine, portable, at ./luft (EXE=name for another path; this is how OpenBench builds)
# make EVALFILE=f    with the network f inside instead of src/nnue/luft.nnue
# make native        the same for the processor at hand
# make test, lint, bench
# make fuzz SECONDS=60          every fuzz target for so long (needs a nightly toolchain and cargo-fuzz)
# make soak GAMES=100 MINUTES=2 RACES=1000 SEED=1
# make valgrind, tsan, miri     memory and threads under checkers (the latter two need a nightly toolchain)
EXE ?= luft
CARGO ?= cargo

# AMD processors before Zen 3 have PEXT, but slower than the multiplication it would replace.
SLOW_PEXT := $(shell grep -qs 'AuthenticAMD' /proc/cpuinfo && grep -qsE '^cpu family[[:space:]]*:[[:space:]]*(21|22|23)$$' /proc/cpuinfo && echo --cfg slow_pext)

.PHONY: build native test test-release lint bench perft fuzz soak valgrind tsan miri clean

build:
	$(CARGO) build --release --bin luft --target-dir target
	cp target/release/luft $(EXE)

native:
	RUSTFLAGS="-C target-cpu=native $(SLOW_PEXT)" $(CARGO) build --release --bin luft --target-dir target/native
	cp target/native/release/luft $(EXE)

test:
	$(CARGO) test --workspace --features tools

# The searches of known mates, endgames and tactics in full, and a million random positions against other implementations.
test-release:
	LUFT_FULL=1 $(CARGO) test --release --features tools --test tactics --test mates --test syzygy --test rules_differential -- --nocapture

lint:
	$(CARGO) fmt --check
	$(CARGO) clippy --workspace --all-targets --all-features -- -D warnings

bench:
	$(CARGO) bench

# The whole of the perft suites: more than 8 * 10^9 nodes.
perft:
	$(CARGO) build --release --bin luft --target-dir target
	target/release/luft perft perft-suites/standard.epd
	target/release/luft perft perft-suites/chess960.epd

# What a target finds lies in tests/fuzz/artifacts; inputs that reach new code gather in tests/fuzz/corpus, outside version
# control, beside the seeds that are in it.
SECONDS = 60
FUZZ_TARGETS := fen san pgn session network records syzygy_path
fuzz:
	$(CARGO) +nightly fuzz build --fuzz-dir tests/fuzz
	for target in $(FUZZ_TARGETS); do \
		mkdir -p tests/fuzz/corpus/$$target; \
		echo "=== $$target"; \
		$(CARGO) +nightly fuzz run --fuzz-dir tests/fuzz $$target tests/fuzz/corpus/$$target tests/fuzz/seeds/$$target -- \
			-max_total_time=$(SECONDS) -max_len=4096 -timeout=20 -rss_limit_mb=4096 || exit 1; \
	done

# Two engines play games at 0.2 + 0.002 seconds; storms of commands; races of go with stop and ponderhit.
GAMES = 100
MINUTES = 2
RACES = 1000
SEED = 1
soak:
	LUFT_SOAK_GAMES=$(GAMES) LUFT_SOAK_MINUTES=$(MINUTES) LUFT_SOAK_RACES=$(RACES) LUFT_SEED=$(SEED) \
		$(CARGO) test --release --features tools --test soak -- --nocapture --test-threads=1

# Short searches by several threads, with everything that changes their number and the table between. The programs keep
# their assertions.
CHECKED_SEARCHES = "setoption name Hash value 2" "setoption name Threads value 3" "go nodes 8000" \
	"setoption name Threads value 2" "setoption name Hash value 5" ucinewgame "go nodes 3000" \
	"setoption name Threads value 8" "go movetime 200" "setoption name MultiPV value 3" "go depth 4"
valgrind:
	$(CARGO) build --bin luft --target-dir target
	valgrind --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect \
		target/debug/luft $(CHECKED_SEARCHES)

# Data races, by ThreadSanitizer: unlike Helgrind and DRD it knows atomics, which the table, the signals and even the locks of
# the standard library are made of.
TSAN_TARGET := x86_64-unknown-linux-gnu
tsan:
	RUSTFLAGS="-Zsanitizer=thread" $(CARGO) +nightly build -Zbuild-std --target $(TSAN_TARGET) --bin luft --target-dir target/tsan
	TSAN_OPTIONS="exitcode=9" target/tsan/$(TSAN_TARGET)/debug/luft $(CHECKED_SEARCHES)

# Undefined behaviour in the index types and in the memory of the hash table.
miri:
	MIRIFLAGS=-Zmiri-disable-isolation $(CARGO) +nightly miri test --test index_types
	MIRIFLAGS=-Zmiri-disable-isolation $(CARGO) +nightly miri test --lib transposition::

clean:
	$(CARGO) clean

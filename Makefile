# make               the engine, portable, at ./luft (EXE=name for another path; this is how OpenBench builds)
# make EVALFILE=f    with the network f inside instead of src/nnue/luft.nnue
# make native        the same for the processor at hand
# make test, lint, bench
EXE ?= luft
CARGO ?= cargo

# AMD processors before Zen 3 have PEXT, but slower than the multiplication it would replace.
SLOW_PEXT := $(shell grep -qs 'AuthenticAMD' /proc/cpuinfo && grep -qsE '^cpu family[[:space:]]*:[[:space:]]*(21|22|23)$$' /proc/cpuinfo && echo --cfg slow_pext)

.PHONY: build native test test-release lint bench perft clean

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

clean:
	$(CARGO) clean

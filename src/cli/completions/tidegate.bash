# SPDX-License-Identifier: MIT OR Apache-2.0
# Completion of tidegate for bash: the program itself says what can follow, a line each: value, tab, help.
_tidegate() {
    # bash has split words at = and : and tidegate takes whole ones.
    local line=${COMP_LINE:0:COMP_POINT} words value
    read -ra words <<<"$line"
    if [[ $line == *[[:space:]] ]]; then
        words+=("")
    fi
    local before=${words[${#words[@]} - 1]%"$2"}
    COMPREPLY=()
    while IFS=$'\t' read -r value _; do
        COMPREPLY+=("${value#"$before"}")
    done < <(TIDEGATE_COMPLETE=fish "$1" -- "${words[@]}" 2>/dev/null)
    # KEY= and a folder go on.
    if [[ ${COMPREPLY[0]-} == *[=/] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -o bashdefault -o default -o nosort -F _tidegate tidegate

#compdef tidegate
# SPDX-License-Identifier: MIT OR Apache-2.0
# Completion of tidegate for zsh: the program itself says what can follow, a line each: value, tab, help.
_tidegate() {
    local value help
    local -a open whole
    while IFS=$'\t' read -r value help; do
        value=${${value//\\/\\\\}//:/\\:}
        # KEY= and a folder go on.
        if [[ $value == *[=/] ]]; then
            open+=("$value${help:+:$help}")
        else
            whole+=("$value${help:+:$help}")
        fi
    done < <(TIDEGATE_COMPLETE=fish "${words[1]}" -- "${(@)words[1,CURRENT]}" 2>/dev/null)
    if (( $#open )); then
        _describe -V value open -S ''
    fi
    if (( $#whole )); then
        _describe -V value whole
    fi
    if (( ! $#open && ! $#whole )); then
        _files
    fi
}
if [[ ${funcstack[1]-} == _tidegate ]]; then
    _tidegate "$@"
else
    compdef _tidegate tidegate
fi

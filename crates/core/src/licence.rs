// SPDX-License-Identifier: MIT OR Apache-2.0
//! The licence of what tidegate writes into designs and programs: one line in a comment at the head of each such file. The
//! file LICENSE says what it means for those who use them.

/// The identifier of the licence, as the tools of <https://spdx.dev> read it.
pub const LINE: &str = "SPDX-License-Identifier: MIT OR Apache-2.0";

/// The text of a file with the line at its head, in the first place where a file of that kind may have a comment. Nothing
/// is added to a text that begins with it.
///
/// # Panics
/// If files with this ending are none that tidegate writes: a mistake in this program.
pub fn with_line(name: &str, text: &str) -> String {
    let ending = name.rsplit('.').next().unwrap_or_default();
    let comment = match ending {
        "v" | "sv" | "f" | "rs" | "rdl" => format!("// {LINE}\n"),
        // C90 has no other comment.
        "h" => format!("/* {LINE} */\n"),
        "py" | "core" | "ucf" | "lpf" | "xdc" | "tcl" | "sh" | "slurm" => format!("# {LINE}\n"),
        "xml" | "md" => format!("<!-- {LINE} -->\n"),
        _ => panic!("{name}: no comment is known for files with this ending"),
    };
    if text.starts_with(&comment) {
        return text.to_string();
    }
    // A line that must be the first one: the interpreter, the version of XML, the format of a core.
    let is_first = ["#!/", "<?xml", "CAPI="].iter().any(|start| text.starts_with(start));
    let head = text.find('\n').filter(|_| is_first).map_or(0, |end| end + 1);
    format!("{}{comment}{}", &text[..head], &text[head..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_comes_first_or_after_what_must_be_first() {
        for (name, text, expected) in [
            ("a.v", "// A.\n", "// SPDX-License-Identifier: MIT OR Apache-2.0\n// A.\n"),
            ("a.h", "#ifndef A\n", "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n#ifndef A\n"),
            ("a.sh", "#!/bin/sh\ntrue\n", "#!/bin/sh\n# SPDX-License-Identifier: MIT OR Apache-2.0\ntrue\n"),
            ("a.core", "CAPI=2:\n\n", "CAPI=2:\n# SPDX-License-Identifier: MIT OR Apache-2.0\n\n"),
            (
                "a.xml",
                "<?xml version=\"1.0\"?>\n<a/>\n",
                "<?xml version=\"1.0\"?>\n<!-- SPDX-License-Identifier: MIT OR Apache-2.0 -->\n<a/>\n",
            ),
        ] {
            assert_eq!(with_line(name, text), expected, "{name}");
        }
        let once = with_line("a.py", "pass\n");
        assert_eq!(with_line("a.py", &once), once);
    }
}

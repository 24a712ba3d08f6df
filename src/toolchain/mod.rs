//! Outside tools: find them, run them, read their reports.

/// A needed outside tool was not found: exit code 3.
#[derive(Debug)]
pub struct MissingTool {
    /// Name of the program.
    pub tool: &'static str,
    /// What to do about it, one sentence.
    pub remedy: String,
}

impl std::fmt::Display for MissingTool {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} was not found: {}", self.tool, self.remedy)
    }
}

impl std::error::Error for MissingTool {}

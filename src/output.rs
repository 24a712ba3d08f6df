//! Files that are whole or not there: written beside their place, then renamed into it.

use anyhow::{bail, Context, Result};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that appears under its name only when [`OutputFile::commit`] is called; dropped before that, it leaves nothing.
pub struct OutputFile {
    path: PathBuf,
    writer: BufWriter<tempfile::NamedTempFile>,
}

impl OutputFile {
    /// Opens a temporary file in the folder of `path`, which must exist and be writable.
    pub fn create(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        // Found out now and not when others are in their place already.
        if path.is_dir() {
            bail!("cannot write {}: it is a folder", path.display());
        }
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let file = tempfile::Builder::new()
            .prefix(".tidegate-")
            .tempfile_in(folder)
            .with_context(|| format!("cannot write {}: is its folder there and writable?", path.display()))?;
        Ok(OutputFile { path, writer: BufWriter::with_capacity(1 << 16, file) })
    }

    /// Puts the file in its place.
    pub fn commit(self) -> Result<()> {
        let path = self.path;
        let file = self
            .writer
            .into_inner()
            .map_err(|error| error.into_error())
            .with_context(|| format!("cannot write {}", path.display()))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
        }
        file.persist(&path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(())
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.writer.flush()
    }
}

/// Writes a whole file at once, or nothing.
pub fn write_file(path: impl Into<PathBuf>, contents: impl AsRef<[u8]>) -> Result<()> {
    let mut file = OutputFile::create(path)?;
    file.write_all(contents.as_ref())?;
    file.commit()
}

/// Makes a folder and those above it.
pub fn create_folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).with_context(|| format!("cannot make the folder {}", path.display()))
}

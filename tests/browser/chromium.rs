// SPDX-License-Identifier: MIT OR Apache-2.0
//! A Chromium that is told what to do through a pipe, in the DevTools protocol: JSON messages, each ended by a zero octet.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tempfile::TempDir;

/// A running browser.
pub struct Chromium {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    messages: u64,
    /// What it has reported and nobody has asked for yet.
    pub events: Vec<Value>,
    session: Option<String>,
    _profile: TempDir,
}

impl Chromium {
    /// Starts the browser with one empty page; `None` if there is none on this machine.
    pub fn start() -> Option<Chromium> {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let works = |name: &&&str| {
            let asked = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            asked.is_ok_and(|status| status.success())
        };
        let name = names.iter().find(works)?;
        let profile = tempfile::tempdir().unwrap();
        // The browser reads descriptor 3 and writes descriptor 4; the shell gives it our pipes as these. No run takes long.
        let line = format!(
            "exec timeout 900 {name} --headless --no-sandbox --disable-gpu --no-first-run --disable-sync \
             --disable-background-networking --disable-component-update --disable-dev-shm-usage --hide-scrollbars \
             --user-data-dir='{}' --remote-debugging-pipe about:blank 3<&0 4>&1 </dev/null >/dev/null 2>&1",
            profile.path().display()
        );
        let mut process =
            Command::new("sh").args(["-c", &line]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, from) = (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
        let (messages, events) = (0, Vec::new());
        let mut browser = Chromium { process, to, from, messages, events, session: None, _profile: profile };
        let page = browser.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let attached = browser.ask("Target.attachToTarget", json!({ "targetId": page["targetId"], "flatten": true }));
        browser.session = Some(attached["sessionId"].as_str().unwrap().to_string());
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.ask(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Sends a command and waits for its result; events on the way are kept.
    pub fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.messages += 1;
        let mut command = json!({ "id": self.messages, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        self.to.write_all(format!("{command}\0").as_bytes()).unwrap();
        loop {
            let mut message = self.next();
            if message["id"] == json!(self.messages) {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].take();
            }
            self.events.push(message);
        }
    }

    /// Waits for an event, which is not kept.
    pub fn wait_for(&mut self, event: &str) {
        if let Some(place) = self.events.iter().position(|message| message["method"] == event) {
            self.events.remove(place);
            return;
        }
        loop {
            let message = self.next();
            if message["method"] == event {
                return;
            }
            self.events.push(message);
        }
    }

    fn next(&mut self) -> Value {
        let mut message = Vec::new();
        let read = self.from.read_until(0, &mut message).unwrap();
        assert!(read > 0, "the browser ended");
        message.pop();
        serde_json::from_slice(&message).unwrap()
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // `timeout` passes this on to the browser.
        let process = rustix::process::Pid::from_raw(self.process.id() as i32).unwrap();
        let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
        let _ = self.process.wait();
    }
}

//! A headless Chromium, driven through its debugging pipe, and a server that remembers what was asked for.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// A Chromium that is installed; `None` (said loudly) when there is none.
pub(crate) fn chromium() -> Option<PathBuf> {
    let given = std::env::var_os("CONVLOG_CHROMIUM").map(PathBuf::from);
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let installed =
        || std::env::split_paths(&path).flat_map(|dir| names.map(|name| dir.join(name))).find(|p| p.exists());
    let found = given.or_else(installed);
    if found.is_none() {
        // Not `eprintln`, which the test harness would keep to itself.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: no Chromium ($CONVLOG_CHROMIUM names one); the HTML page was opened in no browser"
        );
    }
    found
}

/// One tab of a browser, which ends with it.
pub(crate) struct Tab {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    session: Option<String>,
    last: u64,
    /// The names of events that have come, and how often.
    pub(crate) events: HashMap<String, u64>,
    _profile: tempfile::TempDir,
}

impl Tab {
    pub(crate) fn open(chromium: &Path) -> Self {
        let profile = tempfile::tempdir().unwrap();
        // The pipe is on the descriptors 3 and 4.
        let mut command = Command::new("sh");
        command.args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh"]).arg(chromium);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]);
        command.args(["--disable-background-networking", "--disable-extensions", "--remote-debugging-pipe"]);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, from) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut tab = Self { child, to, from, session: None, last: 0, events: HashMap::new(), _profile: profile };
        let target = tab.call("Target.createTarget", &json!({"url": "about:blank"}))["targetId"].clone();
        let attached = tab.call("Target.attachToTarget", &json!({"targetId": target, "flatten": true}));
        tab.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Network", "Runtime"] {
            tab.call(&format!("{domain}.enable"), &json!({}));
        }
        tab
    }

    /// Calls a method of the protocol and waits for its result.
    pub(crate) fn call(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        let mut request = json!({"id": self.last, "method": method, "params": params});
        if let Some(session) = &self.session {
            request["sessionId"] = session.clone().into();
        }
        let to = self.to.as_mut().unwrap();
        to.write_all(format!("{request}\0").as_bytes()).unwrap();
        loop {
            let message = self.receive();
            if message["id"] == self.last {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
        }
    }

    fn receive(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.from.read_until(0, &mut bytes).unwrap();
        assert_eq!(bytes.pop(), Some(0), "the browser is gone");
        let message: Value = serde_json::from_slice(&bytes).unwrap();
        if let Some(event) = message["method"].as_str() {
            *self.events.entry(event.to_owned()).or_default() += 1;
        }
        message
    }

    /// Opens a page and waits until all of it is loaded.
    pub(crate) fn navigate(&mut self, url: &str) {
        self.events.clear();
        self.call("Page.navigate", &json!({"url": url}));
        while !self.events.contains_key("Page.loadEventFired") {
            self.receive();
        }
    }

    /// The value of an expression in the page.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let result = self.call("Runtime.evaluate", &params);
        assert!(result.get("exceptionDetails").is_none(), "{expression}: {result}");
        result["result"]["value"].clone()
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        drop(self.to.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Serves pages by their paths, and remembers every path that is asked for.
pub(crate) struct Server {
    pub(crate) port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// The pages may name the port, so that it is known before they are made.
    pub(crate) fn start(pages: impl FnOnce(u16) -> HashMap<String, String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let pages = pages(port);
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                serve(stream.unwrap(), &pages, &seen);
            }
        });
        Self { port, asked }
    }

    /// What was asked for since the last call.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

fn serve(mut stream: TcpStream, pages: &HashMap<String, String>, asked: &Mutex<Vec<String>>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        // A connection opened ahead of need may bring nothing.
        if !matches!(stream.read(&mut byte), Ok(1)) {
            return;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head);
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let body = pages.get(&path).map_or("", String::as_str);
    asked.lock().unwrap().push(path);
    let length = body.len();
    let _ = write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
}

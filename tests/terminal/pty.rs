//! A program on a pseudo-terminal. Every wait has an end, and the child is killed when its handle goes.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// The path of the program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_luft");

/// It only guards against hanging, and measures nothing.
const DEADLINE: Duration = Duration::from_secs(60);

/// A running program and what it has shown.
pub struct Pty {
    child: Child,
    screen: File,
    shown: Receiver<Vec<u8>>,
    text: String,
    /// What was waited for ends here.
    seen: usize,
}

/// Both ends of a new pseudo-terminal: the person's and the program's.
pub fn open() -> (File, File) {
    let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
    grantpt(&person).expect("a pseudo-terminal that is ours");
    unlockpt(&person).expect("a pseudo-terminal that is open");
    let path = ptsname(&person, Vec::new()).expect("a pseudo-terminal has a name");
    let program = File::options().read(true).write(true).open(path.to_str().unwrap()).expect("its other end");
    (File::from(person), program)
}

/// Types bytes.
pub fn write_all(mut screen: &File, bytes: &[u8]) {
    screen.write_all(bytes).expect("the program reads");
}

impl Pty {
    /// Starts the program with these variables in its environment.
    pub fn start(environment: &[(&str, &str)]) -> Pty {
        let (screen, program) = open();
        let end = || Stdio::from(program.try_clone().expect("a terminal has as many ends as wanted"));
        let mut command = Command::new(PROGRAM);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR").envs(environment.iter().copied());
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().expect("the program starts");
        let (sender, shown) = channel();
        let mut reader = screen.try_clone().expect("a screen can be read");
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count) = reader.read(&mut bytes) {
                if count == 0 || sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Pty { child, screen, shown, text: String::new(), seen: 0 }
    }

    /// Types a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Types bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        write_all(&self.screen, bytes);
    }

    /// Types a line, and waits until this is shown, after what was shown before.
    pub fn ask(&mut self, line: &str, wanted: &str) {
        self.send(line);
        self.wait_for(wanted);
    }

    /// Waits until this is shown, after all that was waited for before.
    pub fn wait_for(&mut self, wanted: &str) {
        let end = Instant::now() + DEADLINE;
        loop {
            if let Some(at) = self.text[self.seen..].find(wanted) {
                self.seen += at + wanted.len();
                return;
            }
            match self.shown.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.text.push_str(&String::from_utf8_lossy(&bytes).replace("\r\n", "\n")),
                Err(error) => panic!("no '{wanted}' ({error}) after\n{}", &self.text[self.seen..]),
            }
        }
    }

    /// All that was shown so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same after everything that comes soon.
    pub fn all(&mut self) -> &str {
        while let Ok(bytes) = self.shown.recv_timeout(Duration::from_millis(100)) {
            self.text.push_str(&String::from_utf8_lossy(&bytes).replace("\r\n", "\n"));
        }
        &self.text
    }

    /// Waits for the end of the program; whether it was a good one.
    pub fn end(mut self) -> bool {
        let limit = Instant::now() + DEADLINE;
        loop {
            if let Some(status) = self.child.try_wait().expect("the child can be waited for") {
                return status.success();
            }
            assert!(Instant::now() < limit, "the program does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

//! A small HTTP server that plays a script and keeps what it was asked.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Asked {
    pub method: String,
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: Value,
}

impl Asked {
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut all = self.headers.iter();
        all.find(|h| h.0.eq_ignore_ascii_case(name))
            .map(|h| h.1.as_str())
    }

    /// `METHOD path`.
    pub fn line(&self) -> String {
        format!("{} {}", self.method, self.path)
    }
}

/// An answer to give.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

pub fn answer(status: u16, body: Value) -> Answer {
    Answer {
        status,
        headers: Vec::new(),
        body: body.to_string().into_bytes(),
    }
}

impl Answer {
    pub fn with(mut self, name: &str, value: &str) -> Answer {
        self.headers.push((name.into(), value.into()));
        self
    }
}

/// The server, answering in the script's order, then no longer.
pub struct Server {
    pub url: String,
    thread: JoinHandle<Vec<Asked>>,
}

impl Server {
    pub fn start(script: Vec<Answer>) -> Server {
        let mut script = script.into_iter();
        let many = script.len();
        Server::serving(Some(many), move |_| script.next().unwrap())
    }

    /// A server that answers by that function.
    #[allow(dead_code)]
    pub fn serve(answer: impl FnMut(&Asked) -> Answer + Send + 'static) -> Server {
        Server::serving(None, answer)
    }

    fn serving(
        many: Option<usize>,
        mut answer: impl FnMut(&Asked) -> Answer + Send + 'static,
    ) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let thread = std::thread::spawn(move || {
            let mut asked = Vec::new();
            while many.is_none_or(|many| asked.len() < many) {
                let (stream, _) = listener.accept().unwrap();
                match serve(stream, &mut answer) {
                    // A last connection without a request ends the wait of `asked`.
                    Some(request) => asked.push(request),
                    None => break,
                }
            }
            asked
        });
        Server { url, thread }
    }

    /// What was asked; answers left over are not waited for.
    pub fn asked(self) -> Vec<Asked> {
        drop(TcpStream::connect(self.url.trim_start_matches("http://")));
        self.thread.join().unwrap()
    }
}

fn serve(mut stream: TcpStream, answer: &mut impl FnMut(&Asked) -> Answer) -> Option<Asked> {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let (method, path) = (words.next()?.to_string(), words.next()?.to_string());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        headers.push((name.to_string(), value.to_string()));
    }
    let length = headers
        .iter()
        .find(|h| h.0.eq_ignore_ascii_case("content-length"));
    let mut body = vec![0; length.map_or(0, |h| h.1.parse().unwrap())];
    reader.read_exact(&mut body).unwrap();
    let asked = Asked {
        method,
        path,
        headers,
        body: serde_json::from_slice(&body).unwrap_or_default(),
    };
    let answer = answer(&asked);
    let mut text = format!(
        "HTTP/1.1 {} Reason\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n",
        answer.status,
        answer.body.len()
    );
    for (name, value) in &answer.headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    write!(stream, "{text}\r\n").unwrap();
    stream.write_all(&answer.body).unwrap();
    Some(asked)
}

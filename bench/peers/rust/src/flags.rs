// SPDX-License-Identifier: Apache-2.0
//! --name=value with any number of dashes, as the other benchmark programs take them.
use std::collections::HashMap;

pub struct Flags(HashMap<&'static str, String>);

impl Flags {
    /// Reads the command line. What is not among the defaults is refused.
    pub fn parse(defaults: &[(&'static str, &str)]) -> Flags {
        let mut values: HashMap<_, _> = defaults.iter().map(|(k, v)| (*k, v.to_string())).collect();
        for word in std::env::args().skip(1) {
            let bare = word.trim_start_matches('-');
            let (name, value) = bare.split_once('=').unwrap_or((bare, "true"));
            match values.get_mut(name) {
                Some(place) => *place = value.to_string(),
                None => {
                    eprintln!("unknown flag: {word}");
                    std::process::exit(2);
                }
            }
        }
        Flags(values)
    }

    pub fn text(&self, name: &str) -> &str {
        &self.0[name]
    }

    pub fn number<T: std::str::FromStr>(&self, name: &str) -> T {
        self.0[name].parse().unwrap_or_else(|_| {
            eprintln!("--{name}={}: not a number", self.0[name]);
            std::process::exit(2)
        })
    }
}

/// A runtime of that many threads; the one of one thread has no locks.
pub fn runtime(threads: usize) -> tokio::runtime::Runtime {
    let mut builder = match threads {
        0 | 1 => tokio::runtime::Builder::new_current_thread(),
        _ => tokio::runtime::Builder::new_multi_thread(),
    };
    builder.worker_threads(threads.max(1)).enable_all().build().expect("a runtime")
}

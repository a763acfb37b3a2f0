// SPDX-License-Identifier: Apache-2.0
//! A closed loop of calls, or of messages on streams, over one connection of tonic. Counts as
//! gRPC-Go's client does: what was begun after the warm-up and before the end. Every reply is checked
//! for its size.
mod flags;
mod pb {
    tonic::include_proto!("grpc.testing");
}

use pb::benchmark_service_client::BenchmarkServiceClient;
use pb::{Payload, SimpleRequest, SimpleResponse};
use std::time::{Duration, Instant};
use tonic::transport::{Channel, Endpoint};

/// Latencies in buckets of 1 %, from a microsecond.
struct Histogram {
    buckets: Vec<u32>,
    count: u64,
}

const BUCKETS: usize = 2400;

impl Histogram {
    fn new() -> Histogram {
        Histogram { buckets: vec![0; BUCKETS], count: 0 }
    }

    fn add(&mut self, value: Duration) {
        let us = (value.as_secs_f64() * 1e6).max(1.0);
        let index = (us.ln() / 1.01f64.ln()) as usize;
        self.buckets[index.min(BUCKETS - 1)] += 1;
        self.count += 1;
    }

    fn merge(&mut self, other: &Histogram) {
        self.count += other.count;
        self.buckets.iter_mut().zip(&other.buckets).for_each(|(mine, theirs)| *mine += theirs);
    }

    fn percentile(&self, share: f64) -> f64 {
        let mut seen = 0u64;
        for (index, held) in self.buckets.iter().enumerate() {
            seen += u64::from(*held);
            if seen as f64 > share * self.count as f64 {
                return 1.01f64.powf(index as f64 + 0.5);
            }
        }
        0.0
    }
}

#[derive(Clone)]
struct Plan {
    request: SimpleRequest,
    reply_size: usize,
    warm_end: Instant,
    end: Instant,
}

impl Plan {
    fn check(&self, reply: &SimpleResponse) {
        let size = reply.payload.as_ref().map(|p| p.body.len());
        if size != Some(self.reply_size) {
            eprintln!("a reply of {size:?} bytes came, {} were asked for", self.reply_size);
            std::process::exit(1);
        }
    }

    /// Books what began at `begun`; false when the run is over.
    fn book(&self, begun: Instant, histogram: &mut Histogram) -> bool {
        let now = Instant::now();
        if begun >= self.warm_end {
            histogram.add(now - begun);
        }
        now < self.end
    }
}

type Client = BenchmarkServiceClient<Channel>;

async fn call_unary(mut client: Client, plan: Plan) -> Histogram {
    let mut histogram = Histogram::new();
    loop {
        let begun = Instant::now();
        let reply = client.unary_call(plan.request.clone()).await.expect("a reply");
        plan.check(reply.get_ref());
        if !plan.book(begun, &mut histogram) {
            return histogram;
        }
    }
}

async fn call_streaming(mut client: Client, plan: Plan) -> Histogram {
    let mut histogram = Histogram::new();
    let (sender, requests) = tokio::sync::mpsc::channel(1);
    let mut begun = Instant::now();
    sender.send(plan.request.clone()).await.expect("to send");
    let requests = tokio_stream::wrappers::ReceiverStream::new(requests);
    let mut replies = client.streaming_call(requests).await.expect("a stream").into_inner();
    loop {
        let reply = replies.message().await.expect("a reply").expect("one reply more");
        plan.check(&reply);
        if !plan.book(begun, &mut histogram) {
            return histogram;
        }
        begun = Instant::now();
        sender.send(plan.request.clone()).await.expect("to send");
    }
}

async fn run(flags: &flags::Flags) {
    let channel = Endpoint::from_shared(format!("http://127.0.0.1:{}", flags.text("port")))
        .expect("an address")
        .tcp_nodelay(true)
        .initial_stream_window_size(1 << 20)
        .initial_connection_window_size(4 << 20)
        .connect()
        .await
        .expect("a connection");
    let seconds: f64 = flags.number("d");
    let payload = Payload { r#type: 0, body: vec![0; flags.number("req")] };
    let warm_end = Instant::now() + Duration::from_secs_f64(flags.number("w"));
    let plan = Plan {
        request: SimpleRequest {
            response_size: flags.number("resp"),
            payload: Some(payload),
            ..Default::default()
        },
        reply_size: flags.number("resp"),
        warm_end,
        end: warm_end + Duration::from_secs_f64(seconds),
    };
    let tasks: Vec<_> = (0..flags.number("r"))
        .map(|_: usize| {
            let client = BenchmarkServiceClient::new(channel.clone())
                .max_decoding_message_size(usize::MAX)
                .max_encoding_message_size(usize::MAX);
            match flags.text("rpc_type") {
                "unary" => tokio::spawn(call_unary(client, plan.clone())),
                _ => tokio::spawn(call_streaming(client, plan.clone())),
            }
        })
        .collect();
    let mut all = Histogram::new();
    for task in tasks {
        all.merge(&task.await.expect("a histogram"));
    }
    println!(
        "{{\"qps\": {:.1}, \"calls\": {}, \"p50_us\": {:.2}, \"p90_us\": {:.2}, \"p99_us\": {:.2}}}",
        all.count as f64 / seconds, all.count, all.percentile(0.5), all.percentile(0.9), all.percentile(0.99)
    );
}

fn main() {
    let flags = flags::Flags::parse(&[
        ("port", "50051"), ("rpc_type", "unary"), ("req", "1"), ("resp", "1"), ("r", "1"), ("w", "1"), ("d", "5"),
        ("threads", "2"),
    ]);
    flags::runtime(flags.number("threads")).block_on(run(&flags));
}

// SPDX-License-Identifier: Apache-2.0
//! BenchmarkService on tonic: unary calls, and streams that answer each message with one.
mod flags;
mod pb {
    tonic::include_proto!("grpc.testing");
}

use pb::benchmark_service_server::{BenchmarkService, BenchmarkServiceServer};
use pb::{Payload, SimpleRequest, SimpleResponse};
use std::pin::Pin;
use tokio_stream::{Stream, StreamExt};
use tonic::{Request, Response, Status, Streaming};

type Answers = Pin<Box<dyn Stream<Item = Result<SimpleResponse, Status>> + Send>>;

fn reply(request: &SimpleRequest) -> Result<SimpleResponse, Status> {
    let size = usize::try_from(request.response_size)
        .map_err(|_| Status::invalid_argument("a reply of less than 0 bytes is asked for"))?;
    let payload = Payload { r#type: request.response_type, body: vec![0; size] };
    Ok(SimpleResponse { payload: Some(payload), ..Default::default() })
}

struct Service;

#[tonic::async_trait]
impl BenchmarkService for Service {
    type StreamingCallStream = Answers;
    type StreamingFromServerStream = Answers;
    type StreamingBothWaysStream = Answers;

    async fn unary_call(&self, call: Request<SimpleRequest>) -> Result<Response<SimpleResponse>, Status> {
        reply(call.get_ref()).map(Response::new)
    }

    async fn streaming_call(&self, call: Request<Streaming<SimpleRequest>>) -> Result<Response<Answers>, Status> {
        let answers = call.into_inner().map(|request| request.and_then(|r| reply(&r)));
        Ok(Response::new(Box::pin(answers)))
    }

    async fn streaming_from_client(
        &self, _: Request<Streaming<SimpleRequest>>,
    ) -> Result<Response<SimpleResponse>, Status> {
        Err(Status::unimplemented("no case asks for it"))
    }

    async fn streaming_from_server(&self, _: Request<SimpleRequest>) -> Result<Response<Answers>, Status> {
        Err(Status::unimplemented("no case asks for it"))
    }

    async fn streaming_both_ways(
        &self, _: Request<Streaming<SimpleRequest>>,
    ) -> Result<Response<Answers>, Status> {
        Err(Status::unimplemented("no case asks for it"))
    }
}

fn main() {
    let flags = flags::Flags::parse(&[("port", "50051"), ("threads", "2")]);
    let address = format!("127.0.0.1:{}", flags.text("port")).parse().expect("a port");
    let service = BenchmarkServiceServer::new(Service)
        .max_decoding_message_size(usize::MAX)
        .max_encoding_message_size(usize::MAX);
    // Windows with which tonic is faster on large messages than with its defaults.
    let server = tonic::transport::Server::builder()
        .tcp_nodelay(true)
        .initial_stream_window_size(1 << 20)
        .initial_connection_window_size(4 << 20)
        .add_service(service)
        .serve(address);
    flags::runtime(flags.number("threads")).block_on(server).expect("to serve");
}

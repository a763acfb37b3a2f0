// SPDX-License-Identifier: Apache-2.0
//! Code for proto/grpc/testing/benchmark_service.proto of this tree.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let protos = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../proto");
    let file = format!("{protos}/grpc/testing/benchmark_service.proto");
    tonic_prost_build::configure().compile_protos(&[file.as_str()], &[protos])?;
    Ok(())
}

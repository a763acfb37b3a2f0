# SPDX-License-Identifier: Apache-2.0
"""Makes the generated grpc.testing modules importable: they live in gen/ beside this file, and their
package `grpc` is grpcio's own, which must be told of the second directory."""
import os

import grpc

grpc.__path__.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "gen", "grpc"))

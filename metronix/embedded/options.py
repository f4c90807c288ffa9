"""What `up` was asked for, and refusals that need no server to be started."""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
from dataclasses import dataclass
from typing import Any

import psutil

from metronix.embedded.problems import StartProblem


@dataclass(frozen=True, slots=True)
class UpOptions:
    """Address and sizes of the platform to start."""

    host: str = "127.0.0.1"
    port: int = 8000
    web_workers: int = 1
    celery_concurrency: int = 1

    @property
    def base_url(self) -> str:
        """Where a browser on this machine finds it."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"


def is_loopback(host: str) -> bool:
    """True for names and addresses that only this machine can reach."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def refuse_open_host(host: str, *, guarded: bool, allowed: bool) -> None:
    """Refuse to serve everyone on the network without asking anyone for a credential."""
    if not is_loopback(host) and not guarded and not allowed:
        raise StartProblem(
            f"HOST={host} would let everyone who can reach this machine read and write every memory without a login.",
            "Set AUTH_ENABLED=true (users and keys), or METRONIX_MCP_API_KEY=<secret> (one shared key), or, where the "
            "network itself is closed, METRONIX_ALLOW_OPEN=1.",
        )


def refuse_taken_port(host: str, port: int) -> None:
    """Refuse an address that cannot be listened on, naming who holds it and the way round."""
    for family, kind, protocol, _, address in _addresses(host, port):
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(address)
            except OSError as problem:
                raise _bind_problem(host, port, problem) from problem


def refuse_unknown_host(host: str) -> None:
    """Refuse a name that is none, before anything is said about who could reach it."""
    _addresses(host, 0)


def _addresses(host: str, port: int) -> list[Any]:
    try:
        return list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE))
    except (OSError, UnicodeError) as problem:
        raise StartProblem(
            f"HOST={host} is no address of this machine ({getattr(problem, 'strerror', None) or problem}).",
            "Use HOST=127.0.0.1, or an address of this machine.",
        ) from problem


def _bind_problem(host: str, port: int, problem: OSError) -> StartProblem:
    if problem.errno == errno.EADDRINUSE:
        return StartProblem(
            f"Port {port} is taken by {_holder(port)}.", f"Stop that, or use another port: PORT={port + 1}."
        )
    if problem.errno == errno.EACCES:
        return StartProblem(f"Port {port} may only be used by root.", "Use one above 1023: PORT=8000.")
    return StartProblem(f"{host}:{port} cannot be listened on: {os.strerror(problem.errno or 0)}.", "Change HOST.")


def _holder(port: int) -> str:
    try:
        listening = [
            connection
            for connection in psutil.net_connections("tcp")
            if connection.status == psutil.CONN_LISTEN and connection.laddr and connection.laddr.port == port
        ]
        pid = next((connection.pid for connection in listening if connection.pid), None)
        if pid is None:
            return "a process of another user"
        return f"process {pid} ({' '.join(psutil.Process(pid).cmdline())[:120]})"
    except psutil.Error:
        return "another process (this system does not tell us which)"

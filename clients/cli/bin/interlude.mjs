#!/usr/bin/env node
// Sources run as they are: tsx reads the TypeScript, from this process's first import on.
import { register } from "tsx/esm/api";

register();
await import("../src/main.ts");

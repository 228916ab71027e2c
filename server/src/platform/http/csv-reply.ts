// Lists of the dashboard as CSV, for a request with Accept: text/csv.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CsvCell, formatCsv } from '../csv.ts';

export function wantsCsv({ headers }: FastifyRequest): boolean {
  return /^text\/csv\b/.test(headers.accept ?? '');
}

export function sendCsv(reply: FastifyReply, rows: readonly (readonly CsvCell[])[]): void {
  reply.code(200).header('content-type', 'text/csv; charset=utf-8').send(formatCsv(rows));
}

// The file server. Everything about a recording is in its name, because the server knows no accounts. It refuses requests with an
// Authorization header, like the storage behind a CDN.
import type { Workout } from '../../domain/records/records.ts';
import type { SimulatedRoute } from '../dialect.ts';
import { writeFitRecording } from '../write-fit-recording.ts';
import { refuseWahoo } from './refuse.ts';

const FOLDER = '/wahoo-cloud/production/uploads/workout_file/file';
/** FIT numbers of sports. */
const SPORTS: Readonly<Record<string, number>> = { running: 1, cycling: 2, hiking: 17 };

export function nameFile({ start, end, sportType, distanceKm }: Workout, meanBpm: number | null): string {
  const meters = Math.round((distanceKm ?? 0) * 1_000);
  return `${FOLDER}/${start}-${end}-${SPORTS[sportType] ?? 0}-${meters}-${Math.round(meanBpm ?? 0)}/recording.fit`;
}

export const fileRoutes: readonly SimulatedRoute[] = [
  {
    method: 'GET',
    path: `${FOLDER}/{name}/recording.fit`,
    access: 'anyone',
    answer({ params, request }) {
      if (request.headers.authorization !== undefined) return { status: 400, body: 'Only one auth mechanism allowed' };
      const [, start, end, sport, meters, bpm] = /^(\d+)-(\d+)-(\d+)-(\d+)-(\d+)$/.exec(params.name ?? '') ?? [];
      if (bpm === undefined || Number(end) <= Number(start)) return refuseWahoo('not_found');
      const file = writeFitRecording({
        startMs: Number(start),
        endMs: Number(end),
        sport: Number(sport),
        meters: Number(meters),
        bpmAt: () => (bpm === '0' ? null : Number(bpm)),
      });
      return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: file };
    },
  },
];

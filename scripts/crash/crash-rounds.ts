import { seededRandom } from '@rowkey/local'
import { createTable, noRetry, perform, type TableService, tableService } from '@rowkey/rest'
import { CrashWriter, TABLE } from './crash-writer.ts'
import { bundleService, startProcess } from './service-process.ts'

/** The options of {@link crashRounds}. */
export interface CrashOptions {
  readonly folder: string
  /** How many times the service is killed. */
  readonly rounds: number
  /** Determines the writes and the moments of the kills. */
  readonly seed: number
  /** Called after each round. */
  onRound?(round: number, figures: CrashFigures): void
}

/** The result of {@link crashRounds}. */
export interface CrashFigures {
  readonly kills: number
  readonly acknowledged: number
  /** One text for each row that differs from its acknowledged value, and each torn batch. */
  readonly wrong: readonly string[]
}

const WRITERS = 8
const MOST_WRITES = 120

/**
 * Kills the durable service under load, many times on one folder. Each kill comes after a random number
 * of acknowledged writes, while others are in flight. Then it reads all rows.
 */
export async function crashRounds(options: CrashOptions): Promise<CrashFigures> {
  const { folder, rounds, seed, onRound } = options
  const random = seededRandom(seed)
  const bundle = await bundleService()
  const writers = Array.from({ length: WRITERS }, (_, at) => new CrashWriter(`w${at}`, random))
  let figures: CrashFigures = { kills: 0, acknowledged: 0, wrong: [] }
  for (let round = 0; round <= rounds; round++) {
    const child = await startProcess(bundle, folder)
    const service = serviceAt(child.connectionString)
    if (round === 0) await perform(service, createTable, { table: TABLE })
    const wrong = await Promise.all(writers.map((writer) => writer.check(service)))
    const isLast = round === rounds
    const most = isLast ? 0 : 1 + Math.floor(random() * MOST_WRITES)
    const acknowledged = await writeUntilKilled(writers, service, { most, kill: child.kill })
    figures = {
      kills: round + Number(!isLast),
      acknowledged: figures.acknowledged + acknowledged,
      wrong: [...figures.wrong, ...wrong.flat().map((text) => `after kill ${round}: ${text}`)],
    }
    onRound?.(round, figures)
  }
  return figures
}

/** Runs the writers, and kills the service after `most` acknowledged writes. */
async function writeUntilKilled(
  writers: readonly CrashWriter[],
  service: TableService,
  { most, kill }: { readonly most: number; kill(): Promise<void> },
): Promise<number> {
  let acknowledged = 0
  let killed = most === 0 ? kill() : undefined
  const onAcknowledged = () => {
    acknowledged += 1
    if (acknowledged >= most) killed ??= kill()
  }
  if (most > 0) await Promise.all(writers.map((writer) => writer.write(service, onAcknowledged)))
  await killed
  await service.close()
  return acknowledged
}

function serviceAt(connectionString: string): TableService {
  return tableService({ connectionString, retry: noRetry })
}

import { localTableService, seededRandom } from '@rowkey/local'
import { Account, type KeyCodec, key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { declareIndexes } from '@rowkey/patterns'
import { type Flavour, noRetry, tableService } from '@rowkey/rest'
import { VirtualTime } from '../../rest/simulation/virtual-time.ts'
import { defineEmployee, isBatch } from '../employees.ts'

/** A program with the indexes. */
export interface Builder {
  readonly account: Account
  readonly employees: ReturnType<typeof declare>['employees']
  readonly indexed: ReturnType<typeof declare>['indexed']
  /** How many requests it has sent. */
  readonly sent: () => number
}

/** Programs on one table that has rows without entries, in virtual time. */
export interface Site {
  readonly time: VirtualTime
  /** Opens a program; it dies after so many requests. */
  open(life?: number, rowKey?: KeyCodec): Builder
  /** How many rows were written with their entries so far. */
  readonly written: () => number
  /** Runs work while time passes. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /** Inserts rows of a program without indexes. */
  insertOld(ids: readonly number[]): Promise<void>
}

function declare(account: Account, rowKey: KeyCodec) {
  const Employee = defineEmployee()
  const indexes = declareIndexes(Employee, { lastName: { rowKey } }, { lease: 1_000 })
  return { employees: account.table(Employee), indexed: indexes.on(account) }
}

/**
 * Opens a table with rows whose ids are 10, 20, 30 and so on.
 *
 * @param rows - how many
 * @param latency - milliseconds that each request takes
 * @param flavour - the service
 */
export async function siteWith(
  rows: number,
  latency = 10,
  flavour: Flavour = 'storage',
): Promise<Site> {
  const time = new VirtualTime()
  const { transport, connectionString } = localTableService({ now: time.now, flavour })
  const random = seededRandom(1)
  let written = 0
  const open = (life = Number.POSITIVE_INFINITY, rowKey = defaultKey): Builder => {
    let sent = 0
    const service = tableService({
      connectionString: connectionString(),
      flavour,
      retry: noRetry,
      now: time.now,
      sleep: time.sleep,
      random,
      transport: async (request, limits) => {
        if (++sent > life) throw new Error('the builder has died')
        await time.sleep(latency)
        if (isBatch(request) && /PartitionKey=(?:'|%27)Sales/.test(String(request.body))) written++
        return transport(request, limits)
      },
    })
    const account = new Account(service)
    return { account, ...declare(account, rowKey), sent: () => sent }
  }
  const old = new Account(
    tableService({ connectionString: connectionString(), flavour, transport, now: time.now }),
  )
  await old.table('employees').create()
  const insertOld = async (ids: readonly number[]) => {
    await old.table('employees').bulk().insert(ids.map(oldRow))
  }
  await insertOld(Array.from({ length: rows }, (_, at) => 10 * (at + 1)))
  return { time, open, written: () => written, run: (work) => time.run(work()), insertOld }
}

const defaultKey = key`lastname_${'lastName'}_${'id:6'}`

function oldRow(id: number): DynamicEntity {
  const rowKey = `empid_${String(id).padStart(6, '0')}`
  return new DynamicEntity('Sales', rowKey, { firstName: 'Jon', lastName: `name${id}` })
}

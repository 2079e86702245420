import {
  type Account,
  BatchError,
  DynamicEntity,
  decorate,
  Entity,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  ETag,
  ETagMismatchError,
  PartitionKey,
  Property,
  RowKey,
  type Table,
} from 'rowkey'

class Reading {
  sensor!: string
  number!: string
  value?: number
  count?: bigint
  taken?: Date
  bytes?: Uint8Array
  etag?: string
}
decorate(Reading, Entity('readings'), {
  sensor: PartitionKey(),
  number: RowKey(),
  value: Property('Double'),
  count: Property('Int64'),
  taken: Property('DateTime'),
  bytes: Property('Binary'),
  etag: ETag(),
})

type Readings = Table<Reading>

/** What every runtime does against `rowkey serve`, by name. Each starts with an empty table. */
const CHECKS: Readonly<Record<string, (readings: Readings, account: Account) => Promise<void>>> = {
  async insert(readings) {
    const taken = new Date('2026-11-22T08:00:00.123Z')
    const bytes = new Uint8Array([0, 127, 255])
    const sensor = "o'brien %25 ключ 😀"
    const written = await readings.insert({
      sensor,
      number: '1',
      value: 4,
      count: 9_007_199_254_740_993n,
      taken,
      bytes,
    })
    equal(typeof written.etag, 'string', 'insert sets the ETag')
    const read = await readings.get([sensor, '1'])
    equal(read.value, 4, 'a Double is read')
    equal(read.count, 9_007_199_254_740_993n, 'an Int64 is exact')
    equal(read.taken?.getTime(), taken.getTime(), 'a DateTime is read')
    equal(read.bytes?.join(), bytes.join(), 'a Binary is read')
    equal(read.etag, written.etag, 'a read has the ETag of the write')
  },

  async errors(readings) {
    await readings.insert({ sensor: 's', number: '1' })
    const again = readings.insert({ sensor: 's', number: '1' })
    equal(
      (await failure(again)) instanceof EntityAlreadyExistsError,
      true,
      'an existing entity has its own error',
    )
    const missing = readings.get(['s', '2'])
    equal(
      (await failure(missing)) instanceof EntityNotFoundError,
      true,
      'a missing entity has its own error',
    )
  },

  async changes(readings) {
    const reading = await readings.insert({ sensor: 's', number: '1', value: 1, count: 1n })
    const copy = await readings.get(['s', '1'])
    reading.value = 2
    await readings.merge(reading)
    copy.value = 3
    equal(
      (await failure(readings.merge(copy))) instanceof ETagMismatchError,
      true,
      'an outdated copy is rejected',
    )
    await readings.replace({ sensor: 's', number: '1', value: 5 }, { etag: '*' })
    equal((await readings.get(['s', '1'])).count, undefined, 'replace removes the other properties')
    await readings.insertOrMerge({ sensor: 's', number: '1', count: 7n })
    const merged = await readings.get(['s', '1'])
    equal(`${merged.value} ${merged.count}`, '5 7', 'insertOrMerge keeps the other properties')
    await readings.delete(merged)
    equal(await readings.find(['s', '1']), undefined, 'a deleted entity is gone')
  },

  async query(readings) {
    await readings.bulk().insert(many(250))
    const query = readings.query().where((r) => r.sensor.eq('s').and(r.count.ge(100n)))
    equal((await query.toArray()).length, 150, 'a filter is applied')
  },

  async page(readings) {
    await readings.bulk().insert(many(250))
    const all = readings.query().where({ sensor: 's' })
    const first = await all.page({ size: 200 })
    const second = await all.page({ size: 200, token: first.next })
    equal(`${first.items.length} ${second.items.length}`, '200 50', 'a token continues a query')
    let pages = 0
    for await (const { items } of all.pageSize(100).byPage()) pages += items.length > 0 ? 1 : 0
    equal(pages, 3, 'pages follow each other')
  },

  async batch(readings) {
    await readings.insert({ sensor: 's', number: '2' })
    const failed = await failure(
      readings
        .batch()
        .insert({ sensor: 's', number: '1' })
        .insert({ sensor: 's', number: '2' })
        .submit(),
    )
    equal(failed instanceof BatchError && failed.index, 1, 'a batch names the change that failed')
    equal(await readings.find(['s', '1']), undefined, 'a batch that failed stores nothing')
    await readings
      .batch()
      .insert({ sensor: 's', number: '1' })
      .delete({ sensor: 's', number: '2' }, { etag: '*' })
      .submit()
    equal((await readings.query().where({ sensor: 's' }).toArray()).length, 1, 'a batch is applied')
  },

  async abort(readings) {
    const abort = new AbortController()
    const pending = failure(readings.get(['s', '1'], { signal: abort.signal }))
    abort.abort(new Error('the user left'))
    const error = (await pending) as Error
    equal(error.name, 'AbortError', 'an aborted call ends')
    equal((error.cause as Error).message, 'the user left', 'its cause is the reason')
  },

  async dynamic(_, account) {
    const rows = account.table('readings')
    await rows.insert(new DynamicEntity('s', '1', { Temperature: 21.5 }))
    equal((await rows.get(['s', '1'])).get('Temperature')?.value, 21.5, 'rows work without a class')
    const names: string[] = []
    for await (const name of account.tables()) names.push(name)
    equal(names.includes('readings'), true, 'tables are listed')
  },
}

/** The names of the checks, as a runtime prints them. */
export const DONE = `conformance: ${Object.keys(CHECKS).join(' ')} close`

/**
 * Runs every check on an account, and closes it.
 *
 * @returns {@link DONE}
 * @throws Error that names the check that failed
 */
export async function conformance(account: Account): Promise<string> {
  const readings = account.table(Reading)
  for (const [name, check] of Object.entries(CHECKS)) {
    await readings.createIfNotExists()
    try {
      await check(readings, account)
    } catch (error) {
      throw new Error(`${name}: ${String(error)}`, { cause: error })
    }
    await readings.drop()
  }
  await account.close()
  equal(
    (await failure(readings.get(['s', '1']))) === undefined,
    false,
    'a closed account sends nothing',
  )
  return DONE
}

function many(count: number): Reading[] {
  return Array.from({ length: count }, (_, number) => ({
    sensor: 's',
    number: String(number).padStart(4, '0'),
    count: BigInt(number),
  }))
}

function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  )
}

function equal(actual: unknown, expected: unknown, fact: string): void {
  if (Object.is(actual, expected)) return
  throw new Error(`${fact}: expected ${String(expected)}, got ${String(actual)}`)
}

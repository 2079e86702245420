import { startLocalService } from '@rowkey/local'
import { type Account, connect, DynamicEntity, EntityProperty } from 'rowkey'

/** An embedded service with tables to look at. */
export interface SampleTables extends AsyncDisposable {
  /** The connection string. */
  readonly target: string
  readonly account: Account
}

const CITIES = ['Bonn', 'Oslo', 'Paris', 'Quito'] as const
const NAMES = ['Ann', 'Ben', 'Jeff', 'Lena', 'Mia', 'Omar', 'Sue', 'Tom'] as const

/** A person, with a value of most types. */
function person(n: number): DynamicEntity {
  const name = NAMES[n % NAMES.length] ?? ''
  return new DynamicEntity(
    n % 3 === 0 ? 'Jones' : 'Smith',
    `${name}-${String(n).padStart(3, '0')}`,
    {
      age: EntityProperty.int32(18 + (n % 60)),
      city: CITIES[n % CITIES.length] ?? '',
      points: EntityProperty.int64(9_007_199_254_740_993n + BigInt(n)),
      ratio: EntityProperty.double(n / 4),
      active: n % 2 === 0,
      since: EntityProperty.read('DateTime', `2026-01-02T03:04:05.${String(n).padStart(7, '0')}Z`),
      ...(n % 4 === 0 && { score: n % 8 === 0 ? 'none yet' : EntityProperty.int32(n) }),
      ...(n === 4 && { note: 'A long text. '.repeat(900) }),
    },
  )
}

/** Rows of two types, as docs/several-types.md stores them. */
const STORE = Array.from({ length: 12 }, (_, n) => {
  const number = String(n).padStart(8, '0')
  return n % 3 === 0
    ? new DynamicEntity(`c${n % 2}`, `0001_${number}`, { cea: `c${n}@example.com` })
    : new DynamicEntity(`c${n % 2}`, `0002_${number}`, { total: EntityProperty.double(n) })
})

/** Starts an embedded service with tables of people, of orders, and empty ones. */
export async function sampleTables(): Promise<SampleTables> {
  const service = await startLocalService({ port: 0 })
  const target = service.connectionString
  const account = connect(target)
  for (const name of ['audit', 'people', 'sessions', 'store']) await account.createTable(name)
  const people = Array.from({ length: 130 }, (_, n) => person(n))
  await account.table('people').bulk().insert(people)
  await account.table('store').bulk().insert(STORE)
  return {
    target,
    account,
    async [Symbol.asyncDispose]() {
      await account.close()
      await service.close()
    },
  }
}

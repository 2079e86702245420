import { key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { declareIndexes, type IndexDefinition } from '@rowkey/patterns'
import { defineEmployee, type Office, office, randomOf } from '../employees.ts'
import type { RaceResult } from './index-races.ts'

interface Values {
  readonly department: string
  readonly id: number
  readonly firstName: string
  readonly lastName?: string
  readonly email?: string
  readonly age?: number
}

/** What an index may be declared as, and which entities have an entry then. */
const DEFINITIONS: readonly {
  readonly definition: IndexDefinition<Values>
  readonly has: (values: Values) => boolean
}[] = [
  { definition: { rowKey: key`x_${'lastName'}_${'id:6'}` }, has: (e) => e.lastName !== undefined },
  {
    definition: { rowKey: key`x_${'lastName'}_${'id:6'}`, project: ['age'] },
    has: (e) => e.lastName !== undefined,
  },
  {
    definition: { rowKey: key`x_${'age:8'}_${'lastName'}_${'id:6'}` },
    has: (e) => e.age !== undefined && e.lastName !== undefined,
  },
  {
    definition: { rowKey: key`y_${'email'}_${'id:6'}`, where: ({ age = 0 }) => age > 1 },
    has: (e) => e.email !== undefined && (e.age ?? 0) > 1,
  },
  { definition: { rowKey: key`z_${'email'}`, unique: true }, has: (e) => e.email !== undefined },
]

/** The errors that tell a program what is wrong, in place of a wrong result. */
const LOUD =
  /^(?:IndexDeclarationDiffers|IndexKeysShared|IndexStateChanged|UniqueValueTaken|EntityAlreadyExists|ResourceNotFound|InvalidPatternOption|BulkIncomplete)$/

/**
 * Plays a random history: programs with random declarations of one index write, build, remove and die, and another client writes past
 * them. Whenever a program may read by its index, the rows must be those of the scan.
 */
export async function playHistory(seed: number, steps: number): Promise<RaceResult> {
  const random = randomOf(seed)
  const opened = office(random(4) === 0 ? 'cosmos' : 'storage')
  await opened.account.table('employees').create()
  const programs = Array.from({ length: 2 + random(2) }, () => program(opened, random))
  const wrong: string[] = []
  for (let step = 0; step < steps; step++) {
    const one = programs[random(programs.length)] as Program
    try {
      await act(one, opened, random)
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      if (!LOUD.test(code ?? '') && !/died|unknown whether|transport failed/.test(message)) {
        wrong.push(`seed ${seed}, step ${step}: ${message}`)
      }
    }
    for (const each of programs) {
      const problem = await compare(each)
      if (problem !== undefined) wrong.push(`seed ${seed}, step ${step}: ${problem}`)
    }
    if (wrong.length > 0) break
  }
  return { done: 1, wrong }
}

type Program = ReturnType<typeof program>

function program(opened: Office, random: (below: number) => number) {
  const { definition, has } = DEFINITIONS[random(DEFINITIONS.length)] as (typeof DEFINITIONS)[0]
  const account = opened.rival()
  const Model = defineEmployee()
  const indexes = declareIndexes(Model, { one: definition as never })
  return { employees: account.table(Model), indexes, indexed: indexes.on(account), has }
}

async function act(
  { employees, indexes, indexed }: Program,
  opened: Office,
  random: (below: number) => number,
): Promise<void> {
  const id = 1 + random(6)
  const values = {
    department: 'Sales',
    id,
    firstName: 'Jon',
    ...(random(4) > 0 && { lastName: `L${random(3)}` }),
    ...(random(4) > 0 && { email: `${random(5)}@x` }),
    ...(random(4) > 0 && { age: random(4) }),
  }
  switch (random(12)) {
    case 0:
      return void (await indexed.ensure())
    case 1:
      return void (await indexes.on(opened.rival(random(20))).ensure({ takeOverAfter: 1_000 }))
    case 2:
      return random(3) === 0 ? indexed.remove('one') : undefined
    case 3:
      return void (await indexed.rebuild())
    case 4: {
      // Another client writes past the indexes; then the program builds its own again.
      const row = new DynamicEntity('Sales', `empid_00000${id}`, { firstName: 'Raw' })
      if (values.lastName !== undefined) row.set('lastName', values.lastName)
      await opened.account.table('employees').insertOrReplace(row)
      return void (await indexed.rebuild())
    }
    case 5:
      return employees.delete({ department: 'Sales', id }, { etag: '*' })
    case 6:
      return void (await employees.bulk().insertOrReplace([values, { ...values, id: 7 + id }]))
    case 7:
      return void (await employees.merge(values as never, { etag: '*' }))
    case 8:
      opened.now += 6_000
      return
    default:
      return void (await employees.insertOrReplace(values))
  }
}

/** Compares the query by the index with the scan, when this program may read by it. */
async function compare({ indexed, employees, has }: Program): Promise<string | undefined> {
  if ((await indexed.state('one')) !== 'readable') return undefined
  const where = { department: 'Sales' }
  const all = (await employees.query().where(where).toArray()) as readonly Values[]
  const expected = all.filter(has).map(({ id }) => id)
  const found = (await indexed.query('one', where).toArray()) as readonly Values[]
  const ids = found.map(({ id }) => id).toSorted((one, other) => one - other)
  if (ids.join() === expected.toSorted((one, other) => one - other).join()) return undefined
  return `the index has ${ids.join()}, and the scan has ${expected.join()}`
}

import { localTableService } from '@rowkey/local'
import { Account, key } from '@rowkey/mapper'
import { declareIndexes } from '@rowkey/patterns'
import { noRetry, type Transport, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { defineEmployee, randomOf } from '../employees.ts'

/** Programs that write the same few rows, whose requests interleave and whose responses get lost. */
function crowd(seed: number) {
  const random = randomOf(seed)
  const { transport, connectionString } = localTableService()
  const faulty: Transport = async (request, limits) => {
    for (let turns = random(4); turns > 0; turns--) await Promise.resolve()
    if (random(40) === 0) throw new Error('lost request')
    const response = await transport(request, limits)
    if (random(40) === 0) throw new Error('lost response')
    return response
  }
  const Employee = defineEmployee()
  const indexes = declareIndexes(Employee, {
    email: { rowKey: key`email_${'email'}`, unique: true },
    lastName: { rowKey: key`lastname_${'lastName'}_${'id:6'}`, project: ['firstName'] },
  })
  const options = { connectionString: connectionString(), retry: noRetry }
  const open = (through: Transport) =>
    new Account(
      tableService({ ...options, transport: through, sleep: async () => {}, random: () => 0.5 }),
    )
  const name = () => String.fromCharCode(97 + random(4))
  const employee = () => ({
    department: 'Sales',
    id: 1 + random(3),
    firstName: name(),
    ...(random(4) > 0 && { lastName: name() }),
    ...(random(4) > 0 && { email: `${name()}@x` }),
  })
  const act = async (account: Account) => {
    const table = account.table(Employee)
    const one = employee()
    const target = { department: 'Sales', id: one.id }
    const acts = [
      () => table.insert(one),
      () => table.insertOrReplace(one),
      () => table.insertOrMerge(one),
      () => table.merge(one, { etag: '*' }),
      () => table.replace(one, { etag: '*' }),
      () => table.deleteIfExists(target, { etag: '*' }),
      () => table.modify(target, (stored) => void Object.assign(stored, one)),
      () => table.batch().insertOrReplace(one).submit(),
    ]
    await acts[random(acts.length)]?.().catch(() => undefined)
  }
  return { random, act, plain: open(transport), open: () => open(faulty), indexes }
}

describe('entries of a table that several programs write', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'are never wrong, with requests and responses that get lost: seed %i',
    async (seed) => {
      const { act, plain, open, indexes } = crowd(seed)
      const indexed = indexes.on(plain)
      await plain.table('employees').create()
      await indexed.rebuild()
      let rows = 0
      for (let round = 0; round < 30; round++) {
        await Promise.all(Array.from({ length: 4 }, () => act(open())))
        const progress = await indexed.verify()
        expect(progress.found, `seed ${seed}, round ${round}`).toBe(0)
        rows += progress.rows
      }
      expect(rows).toBeGreaterThan(10)
    },
  )

  it('are complete after rebuilds beside the writers', async () => {
    const { act, plain, open, indexes } = crowd(99)
    const indexed = indexes.on(plain)
    await plain.table('employees').create()
    for (let round = 0; round < 20; round++) {
      const writers = Array.from({ length: 4 }, () => act(open()))
      await Promise.all([...writers, indexed.rebuild()])
      expect(await indexed.verify(), `round ${round}`).toMatchObject({ found: 0 })
    }
  })
})

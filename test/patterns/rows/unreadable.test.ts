import { defineEntity, type EntityModel, key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { declareIndexes, declareSummaries } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { announcedTo } from '../announcing.ts'
import { office } from '../employees.ts'

interface Person {
  readonly team: string
  readonly id: string
  readonly name: string
}
type Model = EntityModel<Person, Person, Pick<Person, 'team' | 'id'>, Pick<Person, 'team'>>

const definePerson = () =>
  defineEntity({
    name: 'staff',
    partitionKey: key`${'team'}`,
    rowKey: key`id_${'id'}`,
    schema: z.object({ team: z.string(), id: z.string(), name: z.string() }),
  })

const declarations: readonly (readonly [kind: string, declare: (model: Model) => unknown])[] = [
  ['an index', (model) => declareIndexes(model, { name: { rowKey: key`name_${'name'}_${'id'}` } })],
  [
    'an eventual index',
    (model) =>
      declareIndexes(
        model,
        { name: { partitionKey: key`${'name'}`, rowKey: key`name_${'team'}_${'id'}` } },
        { worker: announcedTo().worker },
      ),
  ],
  ['a summary', (model) => declareSummaries(model, { name: { rowKey: key`sum_${'name'}` } })],
]

describe.each(declarations)('%s lets a program', (_kind, declare) => {
  /** A row with a value that no key can hold, which another client stored. */
  async function stored() {
    const { account } = office()
    const Person = definePerson()
    declare(Person)
    const staff = account.table(Person)
    await staff.create()
    await account.table('staff').insert(new DynamicEntity('a', 'id_1', { name: 'x/y' }))
    return staff
  }

  it('mend a row whose value no key can hold', async () => {
    const staff = await stored()
    await staff.modify({ team: 'a', id: '1' }, (person) => {
      person.name = 'x'
    })
    expect((await staff.get({ team: 'a', id: '1' })).name).toBe('x')
  })

  it('delete a row whose value no key can hold', async () => {
    const staff = await stored()
    await staff.delete({ team: 'a', id: '1' }, { etag: '*' })
    expect(await staff.exists({ team: 'a', id: '1' })).toBe(false)
  })
})

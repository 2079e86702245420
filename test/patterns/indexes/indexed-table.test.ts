import { defineEntity, key, upgradeTable } from '@rowkey/mapper'
import { declareIndexes } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineEmployee, office } from '../employees.ts'
import { grown } from './grown-staff.ts'

describe('an index of a model with versions', () => {
  it('copies what a read migrates, also before upgradeTable', async () => {
    const { account } = office()
    const parts = { name: 'staff', partitionKey: key`${'department'}`, rowKey: key`id_${'id'}` }
    const keys = { department: z.string(), id: z.string(), age: z.number() }
    const First = defineEntity({ ...parts, schema: z.object({ ...keys, mail: z.string() }) })
    const Second = defineEntity({
      ...parts,
      version: 2,
      previous: First,
      migrate: ({
        mail,
        ...old
      }: {
        department: string
        id: string
        age: number
        mail: string
      }) => ({
        ...old,
        email: mail,
      }),
      schema: z.object({ ...keys, email: z.string() }),
    })
    await account.table(First).create()
    const row = { department: 'Sales', id: 'a', age: 30, mail: 'a@contoso.com' }
    await account.table(First).insert(row)
    const rowKey = key`${'age:3'}_${'id'}`
    const indexed = declareIndexes(Second, { age: { rowKey, project: ['email'] } }).on(account)
    await indexed.build()
    const mails = async () => {
      const copies = await indexed.copies('age')
      return (await copies.where({ department: 'Sales' }).toArray()).map(({ email }) => email)
    }
    expect(await mails()).toEqual(['a@contoso.com'])
    await upgradeTable(account.table(Second))
    expect(await mails()).toEqual(['a@contoso.com'])
    expect(await indexed.verify()).toMatchObject({ found: 0 })
  })

  it('copies what a read migrates back, of rows of a later version', async () => {
    const { account } = office()
    const parts = { name: 'staff', partitionKey: key`${'department'}`, rowKey: key`id_${'id'}` }
    const schema = z.object({ department: z.string(), id: z.string(), mail: z.string() })
    type Person = z.output<typeof schema>
    const First = defineEntity({
      ...parts,
      version: 1,
      schema,
      next: () => Second,
      migrateBack: (later: Person): Person => ({ ...later, mail: later.mail.toUpperCase() }),
    })
    const Second = defineEntity({
      ...parts,
      version: 2,
      previous: First as never,
      migrate: (earlier: object) => earlier as Person,
      schema,
    })
    await account.table(Second).create()
    await account.table(Second).insert({ department: 'Sales', id: 'a', mail: 'a@contoso.com' })
    const rowKey = key`${'id'}`
    const indexed = declareIndexes(First, { id: { rowKey, project: ['mail'] } }).on(account)
    await indexed.build()
    const copies = (await indexed.copies('id')).where({ department: 'Sales' })
    expect((await copies.toArray()).map(({ mail }) => mail)).toEqual(['A@CONTOSO.COM'])
  })
})

describe('continuation tokens of an index', () => {
  const sales = { department: 'Sales' }

  it('are rejected when the index has another key template, because its entries have another order', async () => {
    const { account, indexed } = await grown()
    await indexed.build()
    const { next } = await indexed.query('lastName', sales).page({ size: 2 })
    const copied = await (await indexed.copies('lastName')).where(sales).page({ size: 2 })
    const lastName = { rowKey: key`${'firstName'}_${'id:6'}` }
    const later = declareIndexes(defineEmployee(), { lastName }).on(account)
    await later.build()
    const page = later.query('lastName', sales).page({ size: 2, token: next })
    await expect(page).rejects.toMatchObject({ code: 'InvalidContinuationToken' })
    const copies = (await later.copies('lastName')).where(sales)
    await expect(copies.page({ size: 2, token: copied.next })).rejects.toMatchObject({
      code: 'InvalidContinuationToken',
    })
  })

  it('go on after another build of the same declaration', async () => {
    const { indexed } = await grown()
    await indexed.build()
    const query = indexed.query('lastName', sales)
    const copies = (await indexed.copies('lastName')).where(sales)
    const [first, copied] = [await query.page({ size: 2 }), await copies.page({ size: 2 })]
    await indexed.drop('lastName')
    await indexed.build({ only: ['lastName'] })
    const rest = await query.page({ size: 9, token: first.next })
    expect(rest.items.map(({ id }) => id)).toEqual([3, 4, 5])
    const others = await copies.page({ size: 9, token: copied.next })
    expect(others.items.map(({ id }) => id)).toEqual([3, 4, 5])
  })
})

import { defineEntity, key, upgradeTable } from '@rowkey/mapper'
import { type DerivedFinding, declareIndexes } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineEmployee, jones, office } from '../employees.ts'
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

  it('versions that make the same entries share the index with sameSince', async () => {
    const { account } = office()
    const parts = { name: 'staff', partitionKey: key`${'department'}`, rowKey: key`id_${'id'}` }
    const schema = z.object({ department: z.string(), id: z.string(), mail: z.string() })
    const First = defineEntity({ ...parts, version: 1, schema })
    const Second = defineEntity({
      ...parts,
      version: 2,
      previous: First,
      migrate: (old: z.output<typeof schema>) => old,
      schema,
    })
    const mail = { rowKey: key`${'mail'}`, unique: true, sameSince: 1 } as const
    const first = declareIndexes(First, { mail }).on(account)
    const second = declareIndexes(Second, { mail }).on(account)
    await account.table(First).create()
    await first.build()
    await account.table(Second).insert({ department: 'Sales', id: 'a', mail: 'a' })
    const twin = account.table(First).insert({ department: 'Sales', id: 'b', mail: 'a' })
    await expect(twin).rejects.toMatchObject({ code: 'UniqueValueTaken' })
    expect(await second.state('mail')).toBe('readable')
  })

  it('is another one in a later version, also after upgradeTable, and a program must have both', async () => {
    const { account } = office()
    const parts = { name: 'staff', partitionKey: key`${'department'}`, rowKey: key`id_${'id'}` }
    const schema = z.object({ department: z.string(), id: z.string(), mail: z.string() })
    const First = defineEntity({ ...parts, version: 1, schema })
    const Second = defineEntity({
      ...parts,
      version: 2,
      previous: First,
      migrate: (old: z.output<typeof schema>) => ({ ...old, mail: old.mail.toLowerCase() }),
      schema,
    })
    const mail = { rowKey: key`${'mail'}`, unique: true } as const
    declareIndexes(First, { mail })
    const second = declareIndexes(Second, { mail }).on(account)
    await account.table(First).create()
    await account.table(First).insert({ department: 'Sales', id: 'a', mail: 'A@CONTOSO.com' })
    expect(await second.state('mail')).toBe('building')
    const upgrade = upgradeTable(account.table(Second))
    await expect(upgrade).rejects.toMatchObject({ code: 'UndeclaredDefinition' })
    const [, old = ''] = /drop\('(mail\.\w+)'\)/.exec(String(await upgrade.catch(String))) ?? []
    await second.drop(old)
    await upgradeTable(account.table(Second))
    await second.build()
    await second.drop('mail')
    expect(await second.state('mail')).toBe('dropped')
    await second.build({ only: ['mail'] })
    const values = { department: 'Sales', mail: 'a@contoso.com' }
    expect((await second.find('mail', values))?.id).toBe('a')
    expect(await second.verify()).toMatchObject({ rows: 1, kept: 1, found: 0 })
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

describe('verify and repair', () => {
  it('find and remove what a program without the index left behind', async () => {
    const { indexed, old } = await grown(3)
    await indexed.build()
    await old.delete({ department: 'Sales', id: 1 }, { etag: '*' })
    await old.merge({ ...jones, id: 2, email: 'new@contoso.com' }, { etag: '*' })
    await old.insert({ ...jones, id: 9, email: '9@contoso.com' })
    const found: DerivedFinding[] = []
    expect(await indexed.verify({ onFinding: (each) => found.push(each) })).toMatchObject({
      found: 6,
      repaired: 0,
    })
    const kinds = found.map(({ name, kind, row }) => `${name} ${kind} ${row?.rowKey}`).sort()
    expect(kinds).toEqual([
      'email dangling empid_000001',
      'email dangling empid_000002',
      'email missing empid_000002',
      'email missing empid_000009',
      'lastName dangling empid_000001',
      'lastName missing empid_000009',
    ])
    expect(await indexed.repair()).toMatchObject({ found: 6, repaired: 6 })
    expect(await indexed.verify()).toMatchObject({ found: 0 })
  })

  it('reject an unknown place to continue', async () => {
    const { indexed } = await grown(1)
    await expect(indexed.verify({ from: 'nowhere' })).rejects.toMatchObject({
      code: 'InvalidPatternOption',
    })
  })
})

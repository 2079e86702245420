import type { CheckChoices } from '@rowkey/rest'
import {
  type Account,
  connect,
  DynamicEntity,
  Entity,
  PartitionKey,
  Property,
  RowKey,
  SharedKeyCredential,
} from 'rowkey'
import { describe, expect, it } from 'vitest'

@Entity('notes')
class Note {
  @PartitionKey() book = 'b'
  @RowKey() page!: string
  @Property('String') text?: string
  @Property('Binary') photo?: Uint8Array
}

const note = (page: string, rest: Partial<Note> = {}) => Object.assign(new Note(), { page }, rest)

/** The same entity of a class and of none. */
const dynamic = (page: string, rest: Partial<Note> = {}) =>
  new DynamicEntity('b', page, { ...rest })

async function withNotes(
  checks: CheckChoices,
  run: (account: Account) => Promise<void>,
): Promise<void> {
  const account = connect('memory:', { checks })
  try {
    await account.createTable('notes')
    await run(account)
  } finally {
    await account.close()
  }
}

const cases = [
  { check: 'keys', page: 'a/b', rest: {}, here: 'InvalidEntityKey', there: 400 },
  { check: 'keys', page: 'x'.repeat(513), rest: {}, here: 'InvalidEntityKey', there: 400 },
  {
    check: 'propertySizes',
    page: 'p',
    rest: { text: 'x'.repeat(32_769) },
    here: 'EntityTooLarge',
    there: 400,
  },
  {
    check: 'propertySizes',
    page: 'p',
    rest: { photo: new Uint8Array(65_537) },
    here: 'EntityTooLarge',
    there: 400,
  },
] as const

describe.each(cases)('the check of $check', ({ check, page, rest, here, there }) => {
  it('is made before sending, for classes and for dynamic entities', async () => {
    await withNotes({}, async (account) => {
      await expect(account.table(Note).insert(note(page, rest))).rejects.toMatchObject({
        code: here,
      })
      await expect(account.table('notes').insert(dynamic(page, rest))).rejects.toMatchObject({
        code: here,
      })
    })
  })

  it('can be left to the service', async () => {
    await withNotes({ [check]: 'by the service' }, async (account) => {
      const refused = { name: 'ServiceError', status: there }
      await expect(account.table(Note).insert(note(page, rest))).rejects.toMatchObject(refused)
      await expect(account.table('notes').insert(dynamic(page, rest))).rejects.toMatchObject(
        refused,
      )
    })
  })
})

describe('the check of propertyNames', () => {
  const names = ['first-name', '1st', 'a.b', '', 'x'.repeat(256)]
  const named = (name: string) => new DynamicEntity('b', 'p', { [name]: 1 })

  it.each(names)('R-02: is made before sending of %j', async (name) => {
    await withNotes({}, async (account) => {
      const writing = account.table('notes').insert(named(name))
      await expect(writing).rejects.toMatchObject({
        code: 'InvalidPropertyName',
        details: { property: name },
      })
    })
  })

  it.each(names)('can be left to the service for %j', async (name) => {
    await withNotes({ propertyNames: 'by the service' }, async (account) => {
      const writing = account.table('notes').insert(named(name))
      await expect(writing).rejects.toMatchObject({ name: 'ServiceError', status: 400 })
      const batch = account.table('notes').batch().insertOrMerge(named(name))
      await expect(batch.submit()).rejects.toMatchObject({ name: 'BatchError', index: 0 })
    })
  })

  it('properties with unusual names are read, changed and written if the service accepts them', async () => {
    const sent: (string | undefined)[] = []
    const stored =
      '{"odata.etag":"W/\\"1\\"","PartitionKey":"b","RowKey":"p","first-name":"Jeff","list-price":3.0}'
    const account = connect({
      endpoint: 'https://contoso.table.cosmos.azure.com',
      credential: new SharedKeyCredential({ account: 'contoso', key: 'a2V5' }),
      checks: { propertyNames: 'by the service' },
      transport: async ({ method, body }) => {
        sent.push(body)
        if (method !== 'GET') return { status: 204, headers: { etag: 'W/"2"' }, body: '' }
        return { status: 200, headers: { 'content-type': 'application/json' }, body: stored }
      },
    })
    const note = await account.table('notes').get(['b', 'p'])
    note.set('first-name', 'Joe')
    await account.table('notes').merge(note)
    await account.table('notes').replace(note)
    expect(sent.slice(1)).toEqual([
      '{"PartitionKey":"b","RowKey":"p","first-name":"Joe"}',
      '{"PartitionKey":"b","RowKey":"p","first-name":"Joe","list-price@odata.type":"Edm.Double","list-price":3.0}',
    ])
  })
})

describe('text that UTF-8 cannot encode', () => {
  it('is always rejected before sending', async () => {
    await withNotes(
      { keys: 'by the service', propertyNames: 'by the service', propertySizes: 'by the service' },
      async (account) => {
        const half = { code: 'InvalidEntityKey' }
        await expect(account.table(Note).insert(note('\ud800'))).rejects.toMatchObject(half)
        await expect(account.table('notes').get(['b', '\ud800'])).rejects.toMatchObject(half)
        await expect(
          account.table(Note).insert(note('p', { text: '\ud800' })),
        ).rejects.toMatchObject({
          code: 'InvalidPropertyValue',
        })
        expect(() => dynamic('p').set('page@odata.type', 'Edm.Int64')).toThrow(
          expect.objectContaining({ code: 'InvalidPropertyName' }),
        )
      },
    )
  })

  it('in a key is rejected with the class and its member', async () => {
    await withNotes({}, async (account) => {
      await expect(account.table(Note).insert(note('a/b'))).rejects.toThrow(/^Note\.page: RowKey/)
    })
  })
})

import {
  type Account,
  type CheckChoices,
  connect,
  DynamicEntity,
  Entity,
  PartitionKey,
  Property,
  RowKey,
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
  it('is made before sending, for classes and for entities of none', async () => {
    await withNotes({}, async (account) => {
      await expect(account.table(Note).insert(note(page, rest))).rejects.toMatchObject({
        code: here,
      })
      await expect(account.table('notes').insert(dynamic(page, rest))).rejects.toMatchObject({
        code: here,
      })
    })
  })

  it('is left to the service, which answers', async () => {
    await withNotes({ [check]: 'by the service' }, async (account) => {
      const refused = { name: 'ServiceError', status: there }
      await expect(account.table(Note).insert(note(page, rest))).rejects.toMatchObject(refused)
      await expect(account.table('notes').insert(dynamic(page, rest))).rejects.toMatchObject(
        refused,
      )
    })
  })
})

describe('what no request can carry', () => {
  it('is refused whatever is left to the service', async () => {
    await withNotes(
      { keys: 'by the service', propertySizes: 'by the service' },
      async (account) => {
        const half = { code: 'InvalidEntityKey' }
        await expect(account.table(Note).insert(note('\ud800'))).rejects.toMatchObject(half)
        await expect(account.table('notes').get(['b', '\ud800'])).rejects.toMatchObject(half)
        await expect(
          account.table(Note).insert(note('p', { text: '\ud800' })),
        ).rejects.toMatchObject({
          code: 'InvalidPropertyValue',
        })
      },
    )
  })

  it('and a key names the class and its member', async () => {
    await withNotes({}, async (account) => {
      await expect(account.table(Note).insert(note('a/b'))).rejects.toThrow(/^Note\.page: RowKey/)
    })
  })
})

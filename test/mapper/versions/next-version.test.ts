import { Entity, modelOf, PartitionKey, Property, RowKey, type Table } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { freshAccount } from '../fresh-account.ts'
import { objectsOf } from '../object-codec.ts'
import { readPart } from '../read-part.ts'

@Entity('notes')
class Note {
  @PartitionKey() owner = ''
  @RowKey() id = ''
  @Property() text?: string
}

@Entity('editions')
class Edition {
  @PartitionKey() owner = ''
  @RowKey() id = ''
  @Property('Int32') Version?: number
}

@Entity('letters')
class Letter {
  @PartitionKey() owner = ''
  @RowKey() id = ''
}

@Entity({
  name: 'letters',
  version: 2,
  versionProperty: 'Shape',
  previous: Letter,
  migrate: ({ owner, id }: Letter) => Object.assign(new LetterV2(), { owner, id }),
})
class LetterV2 {
  @PartitionKey() owner = ''
  @RowKey() id = ''
}

const key = { PartitionKey: 'o', RowKey: '1' }
const notes = objectsOf(modelOf(Note))

@Entity('books')
class Book {
  @PartitionKey() owner = ''
  @RowKey() id = ''
}

@Entity({
  name: 'books',
  version: 2,
  previous: Book,
  migrate: ({ owner, id }) => Object.assign(new BookV2(), { owner, id }),
})
class BookV2 {
  @PartitionKey() owner = ''
  @RowKey() id = ''
}

describe('a model without a version', () => {
  it('reads rows with a Version of another program', async () => {
    for (const Version of [2, 7]) {
      expect(notes.read({ ...key, Version })).toMatchObject({ owner: 'o', id: '1' })
      expect(readPart(notes, { ...key, Version })).toMatchObject({ owner: 'o', id: '1' })
    }
    const { account } = freshAccount()
    await account.createTable('notes')
    const rows = account.table('notes')
    await rows.insert(new DynamicEntity('o', '1', { text: 'x', Version: 7 }))
    await rows.insert(new DynamicEntity('o', '2', { text: 'y' }))
    const table = account.table(Note)
    expect(await table.query().where({ owner: 'o' }).count()).toBe(2)
    await table.modify(['o', '1'], (note) => {
      note.text = 'z'
    })
    expect((await rows.get(['o', '1'])).get('Version')?.value).toBe(7)
  })

  it('rejects rows of the version that follows it, whole and in part, and names them', () => {
    modelOf(BookV2)
    const books = objectsOf(modelOf(Book))
    for (const read of [
      () => books.read({ ...key, Version: 2 }),
      () => readPart(books, { ...key, Version: 7 }),
    ]) {
      expect(read).toThrow(
        expect.objectContaining({ name: 'DecodeError', code: 'UnreadableVersion' }),
      )
      expect(read).toThrow(
        /^Book: the row \["o","1"\] has the later version [27] in 'Version', .*Update the program/,
      )
    }
  })

  it.each([
    ['version 1', { Version: 1 }],
    ['no version', {}],
    ['a version of null, as in a projection', { Version: null }],
    ['a text of that name', { Version: '2' }],
    ['an Int64 of that name', { 'Version@odata.type': 'Edm.Int64', Version: '2' }],
    ['a Double of that name', { 'Version@odata.type': 'Edm.Double', Version: 2 }],
    ['a fraction of that name', { Version: 2.5 }],
  ])('reads rows with %s', (_, rest) => {
    modelOf(BookV2)
    expect(objectsOf(modelOf(Book)).read({ ...key, ...rest })).toMatchObject({
      owner: 'o',
      id: '1',
    })
  })

  it('reads rows whose property of that name the class declares', () => {
    const editions = objectsOf(modelOf(Edition))
    expect(editions.read({ ...key, Version: 2 }).Version).toBe(2)
  })

  it('looks for the version in the property of the next model', () => {
    modelOf(LetterV2)
    const letters = objectsOf(modelOf(Letter))
    expect(() => letters.read({ ...key, Shape: 2 })).toThrow(/has the later version 2 in 'Shape'/)
    expect(() => letters.read({ ...key, Version: 2 })).not.toThrow()
  })

  it.each<[string, (books: Table<Book>, book: Book) => PromiseLike<unknown>]>([
    ['replace', (books, book) => books.replace(book, { etag: '*' })],
    ['merge', (books, book) => books.merge(book, { etag: '*' })],
    ['insertOrReplace', (books, book) => books.insertOrReplace(book)],
    ['insertOrMerge', (books, book) => books.insertOrMerge(book)],
    ['batch', (books, book) => books.batch().insertOrReplace(book).submit()],
    ['bulk', (books, book) => books.bulk().insertOrReplace([book])],
  ])('writes no later version over by %s without its ETag', async (_, write) => {
    const { account } = freshAccount()
    await account.createTable('books')
    await account.table(BookV2).insert(Object.assign(new BookV2(), { owner: 'o', id: '1' }))
    const books = account.table(Book)
    const book = Object.assign(new Book(), { owner: 'o', id: '1' })
    const error = await write(books, book).then(
      () => undefined,
      (thrown) => [thrown, thrown.cause, thrown.outcomes?.[0]?.error],
    )
    expect(error).toContainEqual(
      expect.objectContaining({
        code: 'UnknownVersion',
        message: expect.stringMatching(/has version 2, .* has version 1.*Update the program/),
      }),
    )
    const row = await account.table('books').get(['o', '1'])
    expect(row.get('Version')?.value).toBe(2)
  })

  it('writes rows of its own version, and those of no version, without their ETag', async () => {
    modelOf(BookV2)
    const { account } = freshAccount()
    await account.createTable('books')
    const books = account.table(Book)
    const book = Object.assign(new Book(), { owner: 'o', id: '1' })
    await books.insertOrReplace(book)
    await books.insertOrMerge(book)
    await books.replace(book, { etag: '*' })
    await books.merge(book, { etag: '*' })
    await books.delete(book, { etag: '*' })
    expect(await books.find(['o', '1'])).toBeUndefined()
  })
})

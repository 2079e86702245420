import Entity, { type Row } from '@rowkey/azure-entities'
import { describe, expect, it } from 'vitest'
import { embeddedTables } from '../tables.ts'

const { types } = Entity

describe('a type of a program', () => {
  class Tags extends types.BaseType<string[]> {
    override serialize(target: Row, value: string[]): void {
      target[this.property] = value.join()
    }
    override deserialize(source: Row): string[] {
      return String(source[this.property]).split(',')
    }
  }
  class Even extends types.BaseValueType<number> {
    override validate(value: unknown): asserts value is number {
      if (Number(value) % 2 !== 0) throw new RangeError(`${String(value)} is odd`)
    }
  }
  class Count extends types.BaseBufferType<number> {
    override toBuffer(value: number): Buffer {
      return Buffer.from(String(value))
    }
    override fromBuffer(buffer: Buffer): number {
      return Number(buffer.toString())
    }
  }

  it('R-125: needs only the methods that it needs in azure-entities', async () => {
    const { service } = embeddedTables()
    const Items = Entity.configure({
      version: 1,
      partitionKey: Entity.keys.StringKey('id'),
      rowKey: Entity.keys.ConstantKey('item'),
      properties: { id: types.String, tags: Tags, even: Even, count: Count },
    }).setup({ tableName: 'items', service })
    await Items.ensureTable()
    const item = await Items.create({ id: 'a', tags: ['x'], even: 2, count: 5 })
    await item.modify((draft) => {
      draft.tags.push('y')
      draft.even = 4
      draft.count += 1
    })
    expect(await Items.load({ id: 'a' })).toMatchObject({ tags: ['x', 'y'], even: 4, count: 6 })
    const etag = item._etag
    await item.modify((draft) => {
      draft.tags = ['x', 'y']
    })
    expect(item._etag).toBe(etag)
    await expect(Items.create({ id: 'b', tags: [], even: 3, count: 0 })).rejects.toThrow('3 is odd')
    expect(() => new Even('p').deserialize({ p: 3 })).toThrow('3 is odd')
  })
})

import { defineEntity, key, ModelError, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isSelfMapped } from '../../../packages/mapper/src/self-mapping/self-mapped.ts'

class Plain {
  @PartitionKey() a = ''
  @RowKey() b = ''
}

describe('isSelfMapped', () => {
  it('recognizes a class that has both methods, and its subclasses', () => {
    class Own extends Plain {
      writeEntity() {}
      readEntity() {}
    }
    class Sub extends Own {}
    expect([Plain, Own, Sub].map((each) => isSelfMapped(modelOf(each)))).toEqual([
      false,
      true,
      true,
    ])
  })

  it('ignores models from defineEntity', () => {
    const schema = z.object({ a: z.string(), b: z.string(), readEntity: z.string() })
    const model = defineEntity({
      name: 'x',
      partitionKey: key`${'a'}`,
      rowKey: key`${'b'}`,
      schema,
    })
    expect(isSelfMapped(model)).toBe(false)
  })

  it('rejects a class with only one of the methods', () => {
    class Half extends Plain {
      readEntity() {}
    }
    expect(() => isSelfMapped(modelOf(Half))).toThrow(ModelError)
    expect(() => isSelfMapped(modelOf(Half))).toThrow(
      /^Half: It has readEntity but not writeEntity/,
    )
  })
})

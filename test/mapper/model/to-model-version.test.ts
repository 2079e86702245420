import { ModelError, modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { toModelVersion } from '../../../packages/mapper/src/model/to-model-version.ts'
import { OrderV1, OrderV2, OrderV3 } from '../versions/orders.ts'

const [v1, v2] = [modelOf(OrderV1), modelOf(OrderV2)]
const migrate = (earlier: object) => earlier

describe('toModelVersion', () => {
  it('R-129: is one more than the previous version, which is 1 by default', () => {
    expect(v1.version).toBeUndefined()
    expect(v2.version).toMatchObject({ number: 2, property: 'Version', previous: v1 })
    expect(OrderV3.version).toMatchObject({ number: 3, property: 'Version', previous: v2 })
  })

  it('uses the property of the previous version', () => {
    const first = {
      ...v1,
      version: toModelVersion('A', { version: 1, versionProperty: 'V' }, undefined),
    }
    expect(toModelVersion('B', { version: 2, migrate }, first)?.property).toBe('V')
    const other = { version: 2, migrate, versionProperty: 'W' }
    expect(() => toModelVersion('B', other, first)).toThrow(
      'All versions must use the same property',
    )
  })

  it('can start at any number without earlier versions', () => {
    expect(toModelVersion('B', { version: 7 }, undefined)).toMatchObject({ number: 7 })
  })

  it.each([
    [{ version: 3, migrate }, v1, 'Versions increase by 1'],
    [{ version: 1, migrate }, v1, 'Versions increase by 1'],
    [{ version: 2 }, v1, 'previous and migrate belong together'],
    [{ version: 2, migrate }, undefined, 'previous and migrate belong together'],
    [{ migrate }, v1, 'Add version'],
    [{ versionProperty: 'V' }, undefined, 'Add version'],
    [{ version: 0 }, undefined, 'must be a whole number from 1'],
    [{ version: 1.5 }, undefined, 'must be a whole number from 1'],
    [{ version: '2' as never }, undefined, 'must be a whole number from 1'],
    [
      { version: 2, versionProperty: 'PartitionKey' },
      undefined,
      "cannot be stored as 'PartitionKey'",
    ],
    [{ version: 2, versionProperty: 5 as never }, undefined, 'cannot be stored as'],
  ])('rejects %o', (options, previous, problem) => {
    expect(() => toModelVersion('Order', options, previous)).toThrow(ModelError)
    expect(() => toModelVersion('Order', options, previous)).toThrow(problem)
  })
})

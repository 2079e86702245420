import { describe, expect, it } from 'vitest'
import { readServiceProperties } from '../../../packages/rest/src/service-properties/read-service-properties.ts'
import { writeServiceProperties } from '../../../packages/rest/src/service-properties/write-service-properties.ts'
import { everything } from './example-properties.ts'

describe('writeServiceProperties', () => {
  it('R-83: writes what is read back alike', async () => {
    expect(await readServiceProperties(writeServiceProperties(everything))).toEqual(everything)
  })

  it('R-83: says nothing of what shall stay as it is', () => {
    expect(writeServiceProperties({})).toMatch(/<StorageServiceProperties\/>$/)
  })

  it('R-83: writes an empty Cors for no rule, which removes all', () => {
    expect(writeServiceProperties({ cors: [] })).toMatch(
      /<StorageServiceProperties><Cors\/><\/StorageServiceProperties>$/,
    )
  })

  it('speaks of APIs only where figures are kept, and of days only where they end', () => {
    const hourMetrics = { enabled: false, includeApis: true }
    expect(writeServiceProperties({ hourMetrics })).toContain(
      '<HourMetrics><Version>1.0</Version><Enabled>false</Enabled><RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></HourMetrics>',
    )
  })
})

import { describe, expect, it } from 'vitest'
import {
  NEW_SERVICE,
  printServiceProperties,
} from '../../../packages/local/src/service-properties/service-properties.ts'

const START = '\ufeff<?xml version="1.0" encoding="utf-8"?>'

describe('NEW_SERVICE', () => {
  it('R-83: has everything disabled, as recorded', () => {
    const off = '<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy>'
    const metrics = `<Version>1.0</Version><Enabled>false</Enabled>${off}`
    expect(printServiceProperties(NEW_SERVICE)).toBe(
      `${START}<StorageServiceProperties><Logging><Version>1.0</Version><Read>false</Read><Write>false</Write><Delete>false</Delete>${off}</Logging><HourMetrics>${metrics}</HourMetrics><MinuteMetrics>${metrics}</MinuteMetrics><Cors /></StorageServiceProperties>`,
    )
  })
})

import { expect } from 'vitest'
import { DateTimeValue, ticksOf } from '../../packages/odata/src/edm/date-time-value.ts'

/** `toEqual` compares dates to the millisecond, whatever their ticks are. */
expect.addEqualityTesters([
  (a, b) => {
    const areDates = a instanceof DateTimeValue && b instanceof DateTimeValue
    return areDates ? ticksOf(a) === ticksOf(b) : undefined
  },
])

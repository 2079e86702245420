import type { ConnectionAdvice } from '../../http/connection-failures.ts'

/** Browsers and workers do not tell why no connection came about. */
export const failureOf = (_code: string): ConnectionAdvice => ({
  failure: 'other',
  advice: 'the network failed',
})

/** A request whose error has no code may have been sent. */
export const isBeforeSending = (_code: string): boolean => false

/** Nor do they tell where. */
export const otherPlaceOf = (): string => ''

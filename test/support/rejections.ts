import { expect } from 'vitest'

/** Matches an error by its class and code. */
const error = (name: string, code: string) => expect.objectContaining({ name, code })

export const invalidKey = error('InputError', 'InvalidEntityKey')
export const invalidName = error('InputError', 'InvalidPropertyName')
export const invalidValue = error('InputError', 'InvalidPropertyValue')
export const invalidQuery = error('InputError', 'InvalidQuery')
export const tableScan = error('InputError', 'TableScan')
export const partitionScan = error('InputError', 'PartitionScan')
export const invalidJson = error('DecodeError', 'InvalidEntityJson')
export const unreadable = error('DecodeError', 'UnreadableProperty')
export const continuationLoop = error('DecodeError', 'ContinuationLoop')

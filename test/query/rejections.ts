import { expect } from 'vitest'

/** Matches an error by its code. */
const withCode = (code: string) => expect.objectContaining({ code })

export const invalidQuery = withCode('InvalidQuery')
export const invalidValue = withCode('InvalidPropertyValue')
export const invalidName = withCode('InvalidPropertyName')
export const invalidKey = withCode('InvalidEntityKey')
export const tableScan = withCode('TableScan')
export const partitionScan = withCode('PartitionScan')
export const continuationLoop = withCode('ContinuationLoop')

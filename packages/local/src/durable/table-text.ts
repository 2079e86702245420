import { parseDateTime, printDateTime } from '@rowkey/odata'
import type { SignedIdentifier } from '../access-policy/signed-identifier.ts'
import type { ServiceProperties } from '../service-properties/service-properties.ts'

/** The record of a table. */
export interface TableRecord {
  /** The name of the account. */
  readonly account: string
  /** The name as it was created. */
  readonly name: string
  /** Its number, which is unique in this store. */
  readonly id: number
}

/** The record of a table's access policies. */
interface PoliciesRecord {
  /** The number of the table. */
  readonly table: number
  /** At most five, in order. */
  readonly policies: readonly SignedIdentifier[]
}

/** The record of an account's service properties. */
interface PropertiesRecord {
  /** The name of the account. */
  readonly account: string
  /** All properties, with the defaults of those that were never set. */
  readonly properties: ServiceProperties
}

/** Prints a table as the text of its record. It does not change while the table exists. */
export function printTable({ account, name, id }: TableRecord): string {
  return JSON.stringify({ account, name, id })
}

/** Parses the record of a table. */
export function parseTable(text: string): TableRecord {
  return JSON.parse(text)
}

/** Prints access policies as the text of their record. */
export function printPolicies({ table, policies }: PoliciesRecord): string {
  const printed = policies.map(({ id, start, expiry, permissions }) => ({
    id,
    start: start && printDateTime(start),
    expiry: expiry && printDateTime(expiry),
    permissions,
  }))
  return JSON.stringify({ table, policies: printed })
}

/** Parses the record of access policies. */
export function parsePolicies(text: string): PoliciesRecord {
  const { table, policies } = JSON.parse(text)
  return { table, policies: policies.map(readPolicy) }
}

/** Prints service properties as the text of their record. */
export function printProperties({ account, properties }: PropertiesRecord): string {
  return JSON.stringify({ account, properties })
}

/** Parses the record of service properties. */
export function parseProperties(text: string): PropertiesRecord {
  return JSON.parse(text)
}

/** Prints reserved names as the text of their record. */
export function printKeptNames(names: ReadonlyMap<string, number>): string {
  return JSON.stringify([...names])
}

/** Parses the record of reserved names. */
export function parseKeptNames(text: string): ReadonlyMap<string, number> {
  return new Map<string, number>(JSON.parse(text))
}

/** A policy from {@link printPolicies}. */
type PrintedPolicy = Readonly<Record<'id' | 'start' | 'expiry' | 'permissions', string | undefined>>

function readPolicy({ id = '', start, expiry, permissions }: PrintedPolicy): SignedIdentifier {
  return {
    id,
    start: start === undefined ? undefined : parseDateTime(start),
    expiry: expiry === undefined ? undefined : parseDateTime(expiry),
    permissions,
  }
}

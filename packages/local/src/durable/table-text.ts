import { parseDateTime, printDateTime } from '@rowkey/odata'
import type { SignedIdentifier } from '../access-policy/signed-identifier.ts'
import type { ServiceProperties } from '../service-properties/service-properties.ts'

/** What the record of a table says. */
export interface TableRecord {
  /** The name of the account. */
  readonly account: string
  /** The name as it was given. */
  readonly name: string
  /** Its number, which no other table of this store ever has. */
  readonly id: number
}

/** What the record of a table's access policies says. */
export interface PoliciesRecord {
  /** The number of the table. */
  readonly table: number
  /** In the order in which they were given; five at most. */
  readonly policies: readonly SignedIdentifier[]
}

/** What the record of an account's service properties says. */
export interface PropertiesRecord {
  /** The name of the account. */
  readonly account: string
  /** All of them, those that nobody set included. */
  readonly properties: ServiceProperties
}

/** A table as the text of its record; the same text for as long as the table exists. */
export function printTable({ account, name, id }: TableRecord): string {
  return JSON.stringify({ account, name, id })
}

/** The table of a record. */
export function parseTable(text: string): TableRecord {
  return JSON.parse(text)
}

/** A table's access policies as the text of their record. */
export function printPolicies({ table, policies }: PoliciesRecord): string {
  const printed = policies.map(({ id, start, expiry, permissions }) => ({
    id,
    start: start && printDateTime(start),
    expiry: expiry && printDateTime(expiry),
    permissions,
  }))
  return JSON.stringify({ table, policies: printed })
}

/** The access policies of a record. */
export function parsePolicies(text: string): PoliciesRecord {
  const { table, policies } = JSON.parse(text)
  return { table, policies: policies.map(readPolicy) }
}

/** An account's service properties as the text of their record. */
export function printProperties({ account, properties }: PropertiesRecord): string {
  return JSON.stringify({ account, properties })
}

/** The service properties of a record. */
export function parseProperties(text: string): PropertiesRecord {
  return JSON.parse(text)
}

/** Kept names as the text of their record. */
export function printKeptNames(names: ReadonlyMap<string, number>): string {
  return JSON.stringify([...names])
}

/** The kept names of a record. */
export function parseKeptNames(text: string): ReadonlyMap<string, number> {
  return new Map<string, number>(JSON.parse(text))
}

/** A policy as {@link printPolicies} wrote it. */
type PrintedPolicy = Readonly<Record<'id' | 'start' | 'expiry' | 'permissions', string | undefined>>

function readPolicy({ id = '', start, expiry, permissions }: PrintedPolicy): SignedIdentifier {
  return {
    id,
    start: start === undefined ? undefined : parseDateTime(start),
    expiry: expiry === undefined ? undefined : parseDateTime(expiry),
    permissions,
  }
}

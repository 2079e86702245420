import type { CorsRule } from '../properties/service-properties.ts'

/** The first rule for an origin and a method: no other is ever tried. */
export function matchingRule(
  rules: readonly CorsRule[],
  origin: string,
  method: string,
): CorsRule | undefined {
  return rules.find(
    (rule) =>
      (isOpen(rule) || rule.allowedOrigins.includes(origin)) &&
      rule.allowedMethods.includes(method),
  )
}

/** Whether a rule is for every origin. */
export function isOpen(rule: CorsRule): boolean {
  return rule.allowedOrigins.includes('*')
}

/** Whether a header is one of those that a rule names: literally, or by how it begins. */
export function namesHeader(names: readonly string[], header: string): boolean {
  const wanted = header.toLowerCase()
  return names.some((name) => {
    const known = name.toLowerCase()
    return known.endsWith('*') ? wanted.startsWith(known.slice(0, -1)) : known === wanted
  })
}

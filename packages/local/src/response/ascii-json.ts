const BEYOND_ASCII = /[\u0080-\uffff]/
const EACH_BEYOND_ASCII = /[\u0080-\uffff]/g

/** Writes every character beyond ASCII of a JSON text as `\uXXXX`, as the service does. */
export function escapeJson(json: string): string {
  return BEYOND_ASCII.test(json) ? json.replace(EACH_BEYOND_ASCII, escapeUnit) : json
}

/** Prints a string as an ASCII JSON string literal. */
export function printJsonString(text: string): string {
  return escapeJson(JSON.stringify(text))
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Returns `1.5 kg`, or `10` for pieces; the same as `format_amount` in report.py. */
export function formatAmount(amount: number, unit: string): string {
  return unit === "piece" ? String(amount) : `${amount} ${unit}`;
}

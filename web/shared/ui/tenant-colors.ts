/** Gives the stylesheets a tenant's colours; set through the CSSOM, which the content security policy allows. */
export function applyTenantColors(theme: { primaryColor: string; headerColor: string }): void {
  const { style } = document.documentElement
  style.setProperty('--zw-tenant-primary', theme.primaryColor)
  style.setProperty('--zw-tenant-header', theme.headerColor)
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', theme.headerColor)
}

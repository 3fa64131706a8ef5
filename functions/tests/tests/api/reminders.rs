//! Ending reminders as a mail program does it.

use crate::world::Portal;

#[tokio::test]
async fn one_click_ends_reminders_and_a_second_one_changes_nothing() {
    let portal = Portal::with_account("owner").await;
    let token = portal.registration("owner").await;
    assert!(!portal.declined_reminders("owner").await);
    let path = format!("/api/public/unsubscribe/{token}");
    for _ in 0..2 {
        let answered = portal.post_text(&path, "application/x-www-form-urlencoded", "List-Unsubscribe=One-Click").await;
        assert_eq!(answered.status, 204, "{answered:?}");
    }
    assert!(portal.declined_reminders("owner").await);

    // Who opens the address in a browser comes to the page with the button.
    let opened = portal.get(&path).await;
    assert_eq!((opened.status.as_u16(), opened.header("location")), (303, Some(format!("/abmelden/{token}").as_str())));
    assert_eq!(opened.header("cache-control"), Some("no-store"), "the distribution may cache what is public");
    portal.get("/api/public/unsubscribe/a%20b").await.assert_problem(404, "not-found");

    let unknown = portal.post_text("/api/public/unsubscribe/nobodys", "application/x-www-form-urlencoded", "").await;
    unknown.assert_problem(404, "not-found");
    // Another tenant's portal knows nothing of the token.
    let foreign = Portal::with_account("owner").await;
    foreign.post_text(&path, "application/x-www-form-urlencoded", "").await.assert_problem(404, "not-found");
}

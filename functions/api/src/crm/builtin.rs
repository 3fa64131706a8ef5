use domain::ids::AccountId;
use domain::login::link_token;
use edge::Code;
use mail::{Message, Order, Receipt, SendError, VisitorReceipt};
use runtime::BoxFuture;
use store::MailKind;

use crate::call::Call;
use crate::crm::{Crm, ReceiptOrder, RegistrationState, VisitorReceiptOrder};
use crate::error::Result;
use crate::mails::{post, send_problem};

/// The product itself: addresses with double opt-in in the table, receipts by e-mail.
pub(crate) struct Builtin<'a> {
    call: &'a Call,
}

impl<'a> Builtin<'a> {
    pub(crate) fn new(call: &'a Call) -> Self {
        Self { call }
    }
}

impl Crm for Builtin<'_> {
    fn registration<'a>(&'a self, account: &'a AccountId) -> BoxFuture<'a, Result<RegistrationState>> {
        Box::pin(async move {
            let token = link_token(store::random()?);
            let registration = self.call.store()?.open_registration(self.call.tenant_id(), account, &token).await?;
            let confirmed = registration.confirmed.is_some();
            Ok(RegistrationState {
                registered: confirmed,
                email_confirmed: confirmed,
                self_service_token: Some(registration.self_service_token),
                registration_url: Some(self.call.tenant.application.registration_url()),
            })
        })
    }

    fn send_receipts<'a>(&'a self, order: ReceiptOrder<'a>) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let registration = order.registration.ok_or(Code::RegistrationMissing)?;
            let to = registration.confirmed.as_ref().ok_or(Code::RegistrationMissing)?;
            let language = self.call.store()?.account(self.call.tenant_id(), order.account).await?;
            let language = language.and_then(|account| account.language);
            let message = Message::Receipt(Receipt {
                meters: order.jobs.iter().map(|job| job.meter.clone()).collect(),
                unsubscribe: self.call.tenant.application.registration_page(&registration.self_service_token),
            });
            let mail = Order {
                account: order.account,
                top: self.call.access()?.root(),
                kind: MailKind::Receipt,
                key: order.key,
                request_hash: order.key,
                to,
                to_name: None,
                language: language.as_deref(),
            };
            post(self.call)?.send(mail, &message).await.map(drop).map_err(|error| send_problem(error, "email"))
        })
    }

    fn send_visitor_receipt<'a>(&'a self, order: VisitorReceiptOrder<'a>) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let message = Message::VisitorReceipt(VisitorReceipt { meter: order.meter.clone() });
            let mail = Order {
                account: order.sender,
                top: order.sender,
                kind: MailKind::VisitorReceipt,
                key: order.id.as_str(),
                request_hash: &order.to.hash(),
                to: order.to,
                to_name: None,
                language: order.language,
            };
            post(self.call)?.send(mail, &message).await.map(drop).map_err(|error| match error {
                SendError::KeyReused => Code::ReceiptBlocked.into(),
                error => send_problem(error, "email"),
            })
        })
    }
}
